# SPDX-License-Identifier: Apache-2.0
"""clconv tune: records that later runs use, studies, pages; and --tuning."""

import csv
import html
import io
import json
import os
import re
import shutil
import subprocess

import numpy as np
import pytest
import tifffile
from support.browser import assert_loads_nothing, shown
from support.full import mostly_full
from support.images import picture, random_psf, read_image, write_image, write_psf
from support.tool import BINARY, KERNELS, ROOT, clconv, environment, fail, succeed

SIZE = ("--size", "40x30", "--psf-size", "17")
STUDY = ("tune", "--sweep", "radix", "--residence", "global", "--size", "64x64", "--channels", "1")
FEW = ("--candidates", "3")  # a number, since a time would mean more or less on another machine


@pytest.fixture()
def caches(tmp_path):
    return {"CLCONV_CACHE_DIR": tmp_path / "caches"}


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """A cache folder with the record of one search, and what the search printed."""
    folder = tmp_path_factory.mktemp("searched") / "caches"
    return folder, succeed("tune", *SIZE, *FEW, env={"CLCONV_CACHE_DIR": folder}).out


@pytest.fixture(scope="module")
def studied(tmp_path_factory):
    """What a study printed as JSON, and its page."""
    page = tmp_path_factory.mktemp("studied") / "page.html"
    out = succeed(*STUDY, "--json", "--html", page).out
    return json.loads(out)["sweeps"][0]["points"], page.read_text()


@pytest.fixture()
def tuned(searched, caches):
    """A copy of it."""
    shutil.copytree(searched[0], caches["CLCONV_CACHE_DIR"])
    return caches


def records_of(caches):
    return sorted((caches["CLCONV_CACHE_DIR"] / "tuning").glob("*.json"))


def planned(caches, *more):
    return succeed("plan", *SIZE, "--type", "u8", *more, env=caches).out


def test_what_was_tuned_is_used_by_plan_and_run_and_says_so(tmp_path, searched, tuned):
    caches, out = tuned, searched[1]
    assert "chosen   by heuristic" in planned({"CLCONV_CACHE_DIR": tmp_path / "none"})
    assert "40x30x3 u8>u8 * 17x17x1@8,8 clamp same" in out and "as planned" in out
    assert len(records_of(caches)) == 1
    assert "chosen   by record\n" in planned(caches)
    assert "chosen   by heuristic" in planned(caches, "--tuning", "off")

    write_image(tmp_path / "image.png", (picture(40, 30, 3) * 255).astype(np.uint8))
    write_psf(tmp_path / "psf.txt", random_psf(17, 17))
    outputs = []
    for tuning, origin in [("auto", "record"), ("off", "heuristic")]:
        arguments = ("run", "image.png", "--psf", "psf.txt", "--output", tuning, "--tuning", tuning)
        succeed(*arguments, "--report", f"{tuning}.json", cwd=tmp_path, env=caches)
        item = json.loads((tmp_path / f"{tuning}.json").read_text())["items"][0]
        assert item["plan_origin"] == origin
        outputs.append(read_image(tmp_path / tuning / "image.png"))
    assert np.abs(outputs[0] - outputs[1]).max() <= 1 / 255 + 1e-6


def test_measure_makes_the_record_that_is_missing(caches):
    out = succeed("plan", *SIZE, "--type", "u8", "--tuning", "measure", env=caches).out
    assert "chosen   by record\n" in out
    assert len(records_of(caches)) == 1


def test_records_are_listed_exported_forgotten_and_imported(tmp_path, tuned):
    caches = tuned
    record = json.loads(records_of(caches)[0].read_text())
    assert record["problem"] in succeed("tune", "--list", env=caches).out
    succeed("tune", "--export", "records.json", cwd=tmp_path, env=caches)
    assert json.loads((tmp_path / "records.json").read_text())["records"] == [record]
    succeed("tune", "--forget", env=caches)
    assert not records_of(caches) and succeed("tune", "--list", env=caches).out == ""
    succeed("tune", "--import", "records.json", cwd=tmp_path, env=caches)
    assert json.loads(records_of(caches)[0].read_text()) == record
    (tmp_path / "other.json").write_text("{}")
    fail(1, "tune", "--import", "other.json", says=["other.json", "--export"], cwd=tmp_path, env=caches)


def test_files_of_another_kind_stay_as_they_are(tmp_path, tuned):
    photo = tmp_path / "photo.png"
    photo.write_bytes(b"\x89PNG")
    for option in ("--export", "--html"):
        says = ["photo.png", "another kind"]
        fail(2, "tune", "--list", option, "photo.png", says=says, cwd=tmp_path, env=tuned)
        assert photo.read_bytes() == b"\x89PNG"
        succeed("tune", "--list", option, "new", cwd=tmp_path, env=tuned)
        succeed("tune", "--list", option, "new", cwd=tmp_path, env=tuned)
        (tmp_path / "new").unlink()


def passes_file(path, radix, known):
    one = {"pass": "columns", "lanes": 8, "items": 1, "lines": 1, "exchange": "whole", "bundle_columns": 8}
    one |= {"rows_together": 2, "precision": "float", "samples": "float", "layout": "planar", "filled": 60}
    passes = {"clconv_passes": 1} | known | {"passes": [one | {"radices": [radix, 4], "lines_ns": [[100.0, 5000.0]]}]}
    path.write_text(json.dumps({"clconv_tuning": 1, "records": [], "passes": [passes]}))
    return path


def test_passes_that_are_imported_at_once_are_all_kept_and_others_replace_none(tmp_path, tuned):
    record = json.loads(records_of(tuned)[0].read_text())
    known = {"platform": "P", "device": "D", "compute_units": 2, "driver": "1", "kernels": record["kernels"]}
    env = {"CLCONV_CACHE_DIR": tmp_path / "another"}
    files = [passes_file(tmp_path / f"{radix}.json", radix, known) for radix in range(2, 10)]
    imports = [[BINARY, "tune", "--import", file] for file in files]
    starts = [subprocess.Popen(words, env=environment(**env), stderr=subprocess.DEVNULL) for words in imports]
    assert [start.wait(60) for start in starts] == [0] * len(files)
    assert succeed("tune", "--list", env=env).out.startswith("8 passes of D")
    for other, whose in (({"kernels": "8765432187654321"}, "clconv"), ({"driver": "2"}, "the driver")):
        file = passes_file(tmp_path / "other.json", 10, known | other)
        assert f"another version of {whose} than" in succeed("tune", "--import", file, env=env).err
    assert succeed("tune", "--list", env=env).out.startswith("8 passes of D")


def test_files_of_tune_are_checked_before_anything_is_measured(tmp_path):
    env = {"CLCONV_CACHE_DIR": tmp_path / "caches"}
    (tmp_path / "file").touch()
    for option in ("--html", "--export"):
        fail(2, "tune", option, tmp_path, *SIZE, says=[option, "folder"], env=env)
        fail(2, "tune", option, tmp_path / "file/page", *SIZE, says=[option, "file is not a folder"], env=env)
    fail(2, "tune", "--export", "", says=["--export"], env=env)
    fail(1, "tune", "--import", tmp_path, says=["--import", "folder"], env=env)
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        succeed("tune", "--export", tmp_path / "pipe", env=env)
        assert b"clconv_tuning" in reader.communicate(timeout=60)[0]
    assert (tmp_path / "pipe").is_fifo()


def test_torn_and_foreign_records_are_as_if_there_were_none(tuned):
    caches = tuned
    (file,) = records_of(caches)
    text = file.read_text()
    for content in [text[: len(text) // 2], "", "[]", text.replace('"clconv_tuning": 1', '"clconv_tuning": 99')]:
        file.write_text(content)
        assert "chosen   by heuristic" in planned(caches)
    stale = json.loads(text)
    stale["driver"] = "another"
    (file.parent / "export.json").write_text(json.dumps({"clconv_tuning": 1, "records": [stale]}))
    file.unlink()
    succeed("tune", "--import", file.parent / "export.json", env=caches)
    assert "stale" in planned(caches)


LARGE_PSF = ("--size", "1000x800", "--psf-size", "301", "--type", "u8")


def passes_of(words, lanes, ns):
    """Passes of a CPU that take `ns` a line. `words`: the radices of rows, columns and rows back; `lanes`: of columns."""
    types = {"samples": "u8", "layout": "interleaved"}
    fixed = {"items": 1, "lines": 1, "exchange": "whole", "bundle_columns": lanes, "rows_together": 2, "precision": "float"}
    return [
        {"pass": kind, "radices": [int(radix) for radix in radices.split(".")], "lanes": lanes if kind == "columns" else 8, **fixed}
        | (types if kind != "columns" else {"samples": "float", "layout": "planar"})
        | {"filled": 1000, "lines_ns": [[100, 100 * ns], [1000, 1000 * ns]]}
        for kind, radices in words.items()
    ]


def test_measured_passes_choose_lengths_and_the_plan_says_so(tmp_path, tuned):
    own = succeed("plan", *LARGE_PSF, env=tuned).out
    assert "chosen   by heuristic" in own
    rows, columns = (re.search(rf"^  {kind} +\d+=([0-9.]+) ", own, re.M)[1] for kind in ("rows", "columns"))
    assert (rows, columns) != ("4.6.8.8", "3.7.7.8")
    lanes = int(re.search(r"^  columns .* local (\d+) lanes", own, re.M)[1])
    record = json.loads(records_of(tuned)[0].read_text())
    known = {key: record[key] for key in ("platform", "device", "compute_units", "driver", "kernels")}

    def plan_with(passes, **changed):
        measured = {"clconv_passes": 1, **known, **changed, "passes": passes}
        (tmp_path / "passes.json").write_text(
            json.dumps({"clconv_tuning": 1, "records": [], "passes": [measured]})
        )
        result = succeed("tune", "--import", "passes.json", cwd=tmp_path, env=tuned)
        assert f"{len(passes)} passes imported" in result.err
        return succeed("plan", *LARGE_PSF, env=tuned).out

    slow = passes_of({"rows": rows, "columns": columns, "rows back": rows}, lanes, 9000)
    fast = passes_of({"rows": "4.6.8.8", "columns": "3.7.7.8", "rows back": "4.6.8.8"}, lanes, 1000)
    assert "chosen   by heuristic" in plan_with(slow + fast, kernels="of another build")
    plan = plan_with(slow + fast)
    assert "chosen   by measured passes\n" in plan and "padded 1536x1176 fft" in plan
    assert "rows 1536=4.6.8.8 1.2 ms measured, columns 1176=3.7.7.8 " in plan
    assert "padded 1536x1176" not in succeed("plan", *LARGE_PSF, "--tuning", "off", env=tuned).out
    assert "chosen   by record" in planned(tuned), "a record of the problem wins"

    # A search compares the plan that runs have now, so that its record is not slower.
    (search,) = json.loads(succeed("tune", *LARGE_PSF, "--candidates", "1", "--json", env=tuned).out)["tuned"]
    assert "padded 1536x1176 fft" in search["attempts"][1]["plan"]
    for record in records_of(tuned):
        if "1000x800" in record.read_text():
            record.unlink()

    listing = succeed("tune", "--list", env=tuned).out
    assert "6 passes of " in listing and "rows 1536=4.6.8.8: 1 us a line of u8, 1000 lines" in listing
    succeed("tune", "--export", "all.json", cwd=tmp_path, env=tuned)
    succeed("tune", "--forget", env=tuned)
    assert "chosen   by heuristic" in succeed("plan", *LARGE_PSF, env=tuned).out
    succeed("tune", "--import", "all.json", cwd=tmp_path, env=tuned)
    assert succeed("plan", *LARGE_PSF, env=tuned).out == plan
    assert "chosen   by record" in planned(tuned)
    files = list((tuned["CLCONV_CACHE_DIR"] / "passes").iterdir())
    assert len(files) == 2, "those of another build are kept, too"
    for file in files:
        file.write_text(file.read_text()[:-20])
    assert "chosen   by heuristic" in succeed("plan", *LARGE_PSF, env=tuned).out, "torn"


@pytest.mark.usefixtures("searched")
def test_without_a_problem_the_menu_of_passes_is_measured_and_goes_on(tmp_path, caches):
    menu = ("tune", "--channels", "1", "--json")
    first = json.loads(succeed(*menu, "--candidates", "1", "--html", tmp_path / "page.html", env=caches).out)["menu"]
    assert (first["measured"], first["known"], first["defects"]) == (1, 0, [])
    assert sorted(entry["pass"] for entry in first["passes"]) == ["columns", "rows", "rows back"]
    for entry in first["passes"]:
        assert entry["ns_a_line"] > 0 and entry["lines"] > 1 and entry["length"] >= 64
    page = (tmp_path / "page.html").read_text()
    assert "rows back" in cells_of(page, "td")
    assert page.count("<circle") == 3 and page.count(">copies ") == 3
    second = json.loads(succeed(*menu, "--candidates", "2", env=caches).out)["menu"]
    assert (second["measured"], second["known"]) == (2, 1)
    assert second["left"] == first["left"] - 2 and second["plans"] == first["plans"]
    assert "passes of " in succeed("tune", "--list", "--html", "list.html", env=caches, cwd=tmp_path).out
    page = (tmp_path / "list.html").read_text()
    assert f"<p>{len(second['passes'])} passes, kept here; " in page and page.count(">copies ") >= 3
    for option in (("--border", "wrap"), ("--mode", "full"), ("--decide", "lanes=1"), ("--residence", "local")):
        fail(2, "tune", *option, says=[option[0], "--size"], env=caches)


@pytest.mark.usefixtures("searched")
def test_without_a_folder_for_records_tuning_still_tells(tmp_path):
    (tmp_path / "file").write_text("in the way")
    result = succeed("tune", *SIZE, *FEW, env={"CLCONV_CACHE_DIR": tmp_path / "file"})
    assert "as planned" in result.out and "could not be kept" in result.err


@pytest.mark.usefixtures("searched")
def test_two_tuners_at_once_lose_nothing(caches):
    processes = [
        subprocess.Popen(
            [BINARY, "tune", "--size", size, "--psf-size", "17", *FEW],
            env=environment(**caches),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for size in ("40x30", "41x30")
    ]
    assert [process.wait(300) for process in processes] == [0, 0]
    problems = {json.loads(file.read_text())["problem"].split()[0] for file in records_of(caches)}
    assert problems == {"40x30x3", "41x30x3"}


@pytest.mark.usefixtures("searched")
def test_like_takes_the_problems_of_real_files(tmp_path, caches):
    write_image(tmp_path / "in" / "a.png", (picture(40, 30, 3) * 255).astype(np.uint8))
    write_image(tmp_path / "in" / "b.png", (picture(40, 30, 3) * 255).astype(np.uint8))
    write_psf(tmp_path / "psf.txt", random_psf(17, 17))
    succeed("tune", "--like", "in", "--psf", "psf.txt", *FEW, cwd=tmp_path, env=caches)
    (file,) = records_of(caches)
    assert json.loads(file.read_text())["problem"].startswith("40x30x3 u8>u8 * 17x17x1")
    fail(2, "tune", "--like", "in", says=["--psf"], cwd=tmp_path, env=caches)
    nodata = (42113, "s", 0, "0", True)  # GDAL's tag: missing samples are NaN while they are convolved
    tifffile.imwrite(tmp_path / "map.tif", (np.arange(1200) % 256).astype(np.uint8).reshape(30, 40), extratags=[nodata])
    succeed("tune", "--like", "map.tif", "--psf", "psf.txt", "--candidates", "1", cwd=tmp_path, env=caches)
    problems = [json.loads(file.read_text())["problem"] for file in records_of(caches)]
    (planned,) = [problem for problem in problems if "40x30x1" in problem]
    assert succeed("plan", "map.tif", "--psf", "psf.txt", cwd=tmp_path, env=caches).out.startswith(planned)


def test_the_radix_study_has_a_line_a_radix_and_agrees_between_its_forms(studied, caches):
    rows = list(csv.DictReader(io.StringIO(succeed(*STUDY, "--csv", env=caches).out)))
    assert [row["value"] for row in rows] == [str(2**k) for k in range(1, 11)]
    launches = [int(row["launches"]) for row in rows[:6]]
    assert launches == sorted(launches, reverse=True) and launches[0] > launches[-1]
    for row in rows:
        speed = float(row["bytes"]) / float(row["ms"]) * 1e-6
        assert float(row["gb_s"]) == pytest.approx(speed, rel=1e-3)
        assert float(row["fraction_of_copy"]) > 0
    points, _ = studied
    assert [point["launches"] for point in points] == [int(row["launches"]) for row in rows]
    assert [point["bytes"] for point in points] == [int(row["bytes"]) for row in rows]
    assert not records_of(caches), "a study is no search"


def test_a_sweep_of_one_decision_takes_values(caches):
    sweep = ("--decide", "residence=local", "--sweep", "column-lines=2,3")
    table = succeed("tune", *SIZE, *sweep, env=caches).out
    for words in ["as planned", "column-lines=2", "column-lines=3: plan: "]:
        assert words in table


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["--sweep", "everything"], ["--sweep", "radix", "method="]),
        (["--budget", "soon"], ["--budget", "30s"]),
        (["--candidates", "0"], ["--candidates"]),
        (["--candidates", "3", "--budget", "30s"], ["--candidates", "--budget"]),
        (["--size", "5"], ["--size"]),
        (["--type", "i7"], ["--type", "half"]),
        (["--size", "40x30", "--residence", "nowhere"], ["--residence", "global"]),
        (["--size", "40x30", "--decide", "colour=red"], ["colour=red"]),
        (["--precision", "quad"], ["--precision quad", "float, half or double"]),
    ],
)
def test_what_makes_no_sense_is_refused(caches, arguments, says):
    fail(2, "tune", *arguments, says=says, env=caches)


def test_the_page_shows_charts_and_tables_without_network_or_complaints(tmp_path, studied):
    _, page = studied
    assert_loads_nothing(page)
    # The script's end proves that it ran: it sorts the first table by its last column's heading.
    document = shown(page, tmp_path, "document.querySelectorAll('th button')[3].click(); document.title = 'sorted'")
    assert "<title>sorted</title>" in document
    assert document.count("<svg") == 1 and document.count("<rect") == 10
    times = [float(cell) for cell in re.findall(r"<tr>(?:<td[^>]*>[^<]*</td>){3}<td>([0-9.]+)</td>", document)]
    assert len(times) == 10 and times == sorted(times)


def test_the_page_of_records_draws_those_that_are_part_of_clconv(tmp_path, caches):
    assert succeed("tune", "--list", "--html", "list.html", cwd=tmp_path, env=caches).out == ""
    page = (tmp_path / "list.html").read_text()
    assert_loads_nothing(page)
    assert "kept here" not in page
    shipped = json.loads((ROOT / "data/tuning/nvidia-h100.json").read_text())["passes"][0]
    assert f"<h2>Passes of {shipped['device']}</h2>\n<p>{len(shipped['passes'])} passes, part of clconv; " in page
    assert len(re.findall(r"<tr><td>(?:rows|columns|rows back)</td>", page)) >= len(shipped["passes"])
    # No words lie upon others, and the table of passes is sorted by a click.
    probe = """
        const words = [...document.querySelectorAll("svg text")].map(each => [each.textContent, each.getBoundingClientRect()]);
        const hits = words.flatMap(([text, a], i) => words.slice(i + 1).filter(([, b]) => a.left < b.right && b.left < a.right &&
          a.top + 2 < b.bottom - 2 && b.top + 2 < a.bottom - 2).map(([other]) => `${text} on ${other}`));
        const table = [...document.querySelectorAll("table")].find(each => each.textContent.includes("of its length"));
        const column = [...table.querySelectorAll("th")].findIndex(each => each.textContent === "GB/s");
        table.querySelectorAll("th button")[column].click();
        const speeds = [...table.tBodies[0].rows].map(row => Number(row.cells[column].textContent));
        document.title = JSON.stringify([words.length, hits, speeds]);"""
    title = html.unescape(re.search(r"<title>(.*?)</title>", shown(page, tmp_path, probe))[1])
    words, hits, speeds = json.loads(title)
    assert words > 100 and hits == []
    assert len(speeds) == len(shipped["passes"]) and speeds == sorted(speeds)


def cells_of(page, tag):
    return [html.unescape(text) for text in re.findall(rf"<{tag}[^>]*>([^<]*)</{tag}>", page)]


@pytest.mark.parametrize("channels", mostly_full(["1", "3"], ["3"]))
def test_headline_chosen_bar_rows_and_record_agree(tmp_path, caches, channels):
    arguments = ("tune", *SIZE, "--channels", channels, *FEW, "--json")
    out = succeed(*arguments, "--html", tmp_path / "page.html", env=caches).out
    (found,) = json.loads(out)["tuned"]
    page = (tmp_path / "page.html").read_text()
    chosen = " ".join(found["decisions"]) or "as planned"
    time = f"{found['ms']:.4f}"

    headline = html.unescape(re.search(r"<p>(chosen: .*)</p>", page)[1])
    assert headline.startswith(f"chosen: {chosen}: {time} ms, ")
    if found["decisions"]:
        assert f" {found['ms'] / found['heuristic_ms']:.2f} times the {found['heuristic_ms']:.4f} ms" in headline
    else:
        assert found["ms"] == found["heuristic_ms"]

    (bar,) = [html.unescape(text) for text in re.findall(r'<g class="best"><title>(.*?) ms, MAD', page)]
    assert bar == f"{chosen}: {time}"
    rows = [cells_of(row, "td") for row in re.findall(r"<tr>(<td.*?)</tr>", page)]
    (marked,) = [row for row in rows if row[0] == "chosen"]
    assert marked[1] == chosen and marked[2] == "last comparison" and marked[3] == time
    (planned_row,) = [row for row in rows if row[1] == "as planned"]
    assert planned_row[3] == f"{found['heuristic_ms']:.4f}"
    assert [float(row[3]) for row in rows] == sorted(float(row[3]) for row in rows), "the fastest first"
    for bar, length in re.findall(r"<title>[^<]*: ([0-9.]+) ms, MAD.*?<rect [^>]*width=\"([0-9.]+)\"", page):
        assert float(length) > 0 and any(row[3] == bar for row in rows)

    (attempt,) = [attempt for attempt in found["attempts"] if attempt["chosen"]]
    assert attempt["decisions"] == found["decisions"] and attempt["ms"]["median"] == found["ms"]
    record = json.loads(records_of(caches)[0].read_text())
    assert record["decisions"] == found["decisions"]
    assert record["ms"] == pytest.approx(found["ms"]) and record["heuristic_ms"] == pytest.approx(found["heuristic_ms"])


# kernels/selftest does the same with a simulator's device.
@pytest.mark.full
def test_a_device_that_computes_right_passes_the_selftest():
    out = succeed("selftest", "--quick").out
    assert "right: all" in out
    for group in ["radix", "method", "precision"]:
        assert group in out


@pytest.mark.parametrize("precision", mostly_full(["half", "double"], ["double"]))
def test_a_record_speaks_for_its_own_precision_only(caches, precision):
    out = succeed("tune", *SIZE, "--precision", precision, *FEW, env=caches).out
    assert f"clamp same in {precision}" in out
    assert f"in {precision}" in succeed("tune", "--list", env=caches).out
    for other in ["float", "half", "double"]:
        origin = "record\n" if other == precision else "heuristic\n"
        assert f"chosen   by {origin}" in planned(caches, "--precision", other)


def changed_kernels(folder, file, right, wrong):
    shutil.copytree(KERNELS, folder)
    text = (folder / file).read_text()
    assert right in text
    (folder / file).write_text(text.replace(right, wrong))


def test_a_device_that_computes_wrongly_fails_the_selftest_with_exit_5(tmp_path):
    changed_kernels(tmp_path / "kernels", "global_rows.cl", "row == y ? z.y : z.x)", "row == y ? z.x : z.y)")
    selftest = ("selftest", "--quick", "--only", "method fft", "--kernel-dir", tmp_path / "kernels")
    result = clconv(*selftest)
    assert result.code == 5, result
    assert "WRONG method fft, global" in result.out and "do not trust the kernels of" in result.out
    assert "WRONG method fft, local" not in result.out
    result = clconv(*selftest, "--json")
    report = json.loads(result.out)
    assert result.code == 5 and not report["right"]
    for case in report["cases"]:
        assert case["right"] == (case["relative_error"] <= case["allowed"]) == ("global" not in case["name"]), case


def test_a_transform_whose_inverse_is_no_number_fails_the_selftest(tmp_path):
    changed_kernels(tmp_path / "kernels", "transform.cl", "(scalar2)(v[i * R0 + m].im,", "(scalar2)(NAN,")
    result = clconv("selftest", "--only", "radix 2, local", "--kernel-dir", tmp_path / "kernels")
    assert result.code == 5 and "WRONG radix 2, local: relative error nan" in result.out, result
