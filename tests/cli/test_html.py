# SPDX-License-Identifier: Apache-2.0
"""The page of a report: --html of run, deconvolve and compare, and clconv report."""

import base64
import html
import json
import os
import re

import numpy as np
import pytest
from support.browser import assert_loads_nothing, shown
from support.images import as_integers, picture, write_image
from support.tool import fail, files_below, succeed

BLUR = ("--psf", "gaussian:2", "--output", "out")
HOSTILE = "<b>'\"&<script>document.title = 'taken'<"  # a folder: the slash behind it makes an end tag
JPEG_START = "data:image/jpeg;base64,/9j/"


def embedded(page, name):
    """The JSON of this name in a page's text."""
    return json.loads(re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)[1])


def total(document, term):
    """The number beside this word at the top of a page."""
    return html.unescape(re.search(rf"<dt>{term}</dt><dd>([^<]*)</dd>", document)[1])


def section(document, name):
    return document.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def words(markup):
    """Text without tags."""
    return html.unescape(re.sub(r"<[^>]*>", " ", markup))


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    """A run of a large, a small and a grayscale image, and of one that fails, under hostile names."""
    folder = tmp_path_factory.mktemp("batch")
    write_image(folder / "in/a.png", as_integers(picture(700, 400, 3), np.uint8))
    write_image(folder / "in" / HOSTILE / "script>b.png", as_integers(picture(40, 30, 3), np.uint8))
    write_image(folder / "in/c.exr", 50 * picture(40, 30, 1))
    (folder / "in/broken.png").write_text("broken\n")
    os.rename(os.fsencode(folder / "in/c.exr"), os.fsencode(folder / "in") + b"/\xff\xfe.exr")
    fail(1, "run", "in", "--recursive", *BLUR, "--name", "{stem}.png", "--report", "run.json", "--html", "run.html", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def page(batch):
    return (batch / "run.html").read_text()


@pytest.fixture(scope="module")
def document(page, tmp_path_factory):
    return shown(page, tmp_path_factory.mktemp("browser"))


def test_a_page_asks_for_nothing_outside_itself(page):
    assert_loads_nothing(page)


def test_its_totals_are_those_of_the_report(batch, page, document):
    report = json.loads((batch / "run.json").read_text())
    assert embedded(page, "report")["counts"] == report["counts"]
    assert total(document, "Images") == str(report["counts"]["total"]) == "4"
    assert total(document, "Done") == str(report["counts"]["done"]) == "3"
    assert total(document, "Failed") == str(report["counts"]["failed"]) == "1"
    warnings = sum(len(item["warnings"]) for item in report["items"])
    assert warnings > 0 and total(document, "Warnings") == str(warnings)
    assert "<h1>3 of 4 images done, 1 failed</h1>" in document
    assert sum(item["pixels"] for item in report["items"]) == 700 * 400 + 2 * 40 * 30
    for stage, seconds in report["stages"].items():
        row = re.search(rf'<th scope="row">{"compiling" if stage == "build" else stage}</th>(.*?)</tr>', section(document, "time"))[1]
        assert f"{seconds:.3f}" in words(row).split()


def test_failures_come_first_with_their_message_and_what_to_do(batch, document):
    order = re.findall(r'<section id="([a-z]+)"', document)
    assert order[:2] == ["failures", "warnings"] and {"time", "throughput", "pictures", "items", "about"} < set(order)
    (error,) = [item["error"] for item in json.loads((batch / "run.json").read_text())["items"] if item["error"]]
    failures = words(section(document, "failures"))
    assert "in/broken.png" in failures
    what, _, todo = error.removeprefix("in/broken.png: ").partition("; ")
    assert what[1:] in failures and todo[1:] in failures and "What to do:" in failures
    assert "clconv run in --recursive" in failures and failures.rstrip().endswith("--skip-existing")


def test_two_sentences_of_a_decoder_are_not_taken_for_advice(tmp_path):
    (tmp_path / "in.png").write_bytes(b"\x89PNG\r\n\x1a\nxxxx")
    result = fail(1, "run", "in.png", *BLUR, "--html", "run.html", cwd=tmp_path)
    assert "cannot be decoded: Read error: hit end of file, PNG read error" in result.err
    failures = words(section(shown((tmp_path / "run.html").read_text(), tmp_path), "failures"))
    assert "What to do: Open the file in another program." in " ".join(failures.split())


def test_warnings_are_listed_by_kind(batch, document):
    kinds = {
        detail["kind"]
        for item in json.loads((batch / "run.json").read_text())["items"]
        for detail in item["warning_details"]
    }
    assert set(re.findall(r"<b>([a-z]+)</b>", section(document, "warnings"))) == kinds


def test_hostile_names_are_text(page, document):
    assert "<title>clconv run: 3 of 4 images done, 1 failed</title>" in document
    assert page.lower().count("</script>") == 3, "the report, the pictures and the page's own script"
    name = f"in/{HOSTILE}/script>b.png"
    assert name in words(section(document, "items")), "a name is changed or missing"
    assert "in/\ufffd\ufffd.exr" in words(section(document, "items"))
    assert "<script>document" not in document.partition("</script>")[0]


def test_pictures_are_small_and_show_the_same_place(page):
    gallery = embedded(page, "gallery")
    assert gallery["missing"] == 0 and len(gallery["pictures"]) == 3
    for images in gallery["pictures"]:
        for shown_picture in images["whole"] + images["details"]:
            assert shown_picture["uri"].startswith(JPEG_START) and len(shown_picture["uri"]) < 120_000
            assert max(shown_picture["width"], shown_picture["height"]) <= 320
    sizes = {(one["width"], one["height"]) for images in gallery["pictures"] for one in images["whole"]}
    assert sizes == {(320, 183), (40, 30)}
    (large,) = [images for images in gallery["pictures"] if images["details"]]
    assert [(one["width"], one["height"]) for one in large["details"]] == [(176, 176)] * 2
    (float_image,) = [images for images in gallery["pictures"] if images["to"] != 1]
    assert float_image["to"] > 10


def test_a_picture_is_the_image(batch, page, tmp_path):
    from support.images import read_image

    for images in embedded(page, "gallery")["pictures"]:
        if images["whole"][0]["width"] == 40 and images["to"] == 1:
            for one, file in zip(images["whole"], [batch / "in" / HOSTILE / "script>b.png", batch / "out" / HOSTILE / "script>b.png"]):
                (tmp_path / "one.jpg").write_bytes(base64.b64decode(one["uri"].partition(",")[2]))
                difference = read_image(tmp_path / "one.jpg").astype(float) - read_image(file)
                assert np.abs(difference).mean() < 12, "more than JPEG loses of noise"


def test_the_loupe_follows_arrow_keys_in_all_panes(page, tmp_path):
    probe = """
        const group = document.querySelector(".panes");
        group.focus();
        const press = key => group.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const places = () => [...group.querySelectorAll(".loupe")].map(lens => lens.hidden ? "" : lens.style.left);
        const before = places();
        for (let i = 0; i < 3; ++i) press("ArrowRight");
        const after = places();
        press("Escape");
        document.title = JSON.stringify([before, after, places()]);"""
    before, after, put_away = json.loads(html.unescape(re.search(r"<title>(.*?)</title>", shown(page, tmp_path, probe))[1]))
    assert len(before) == 2 and all(before) and before != after and len(set(after)) == 1 and put_away == ["", ""]


def test_report_makes_the_same_page_while_the_files_are_there(batch, page):
    succeed("report", "run.json", "--html", "again.html", cwd=batch)
    again = (batch / "again.html").read_text()
    assert embedded(again, "report") == embedded(page, "report")
    pictures = embedded(again, "gallery")
    named = [images for images in embedded(page, "gallery")["pictures"] if images["to"] == 1]
    assert pictures == {"pictures": named, "missing": 1}, "a report does not hold the bytes of a name that is no text"


def test_report_makes_a_page_without_the_files(batch, tmp_path):
    succeed("report", batch / "run.json", "--html", "page.html", cwd=tmp_path)
    assert embedded((tmp_path / "page.html").read_text(), "gallery") == {"pictures": [], "missing": 3}
    assert "3 images have none" in words(section(shown((tmp_path / "page.html").read_text(), tmp_path), "pictures"))


def test_pictures_are_as_many_as_requested(batch):
    for most in [0, 1]:
        succeed("report", "run.json", "--html", "few.html", "--pictures", most, cwd=batch)
        gallery = embedded((batch / "few.html").read_text(), "gallery")
        assert len(gallery["pictures"]) + gallery["missing"] == most


def test_pictures_are_of_the_whole_run_and_details_of_one_place(tmp_path):
    """The output has a border around it, as --mode full makes it."""
    image = as_integers(picture(400, 300, 3), np.uint8)
    write_image(tmp_path / "in.png", image)
    write_image(tmp_path / "out.png", np.pad(image, ((40, 40), (30, 30), (0, 0))))
    items = 4 * [{"input": "in.png", "output": "out.png", "status": "done"}]
    (tmp_path / "run.json").write_text(json.dumps({"counts": {}, "items": items}))
    succeed("report", "run.json", "--html", "page.html", "--pictures", 2, cwd=tmp_path)
    pictures = embedded((tmp_path / "page.html").read_text(), "gallery")["pictures"]
    assert [images["entry"] for images in pictures] == [0, 2]
    for images in pictures:
        before, after = images["details"]
        assert before == after


def test_what_is_damaged_has_no_picture_and_the_page_is_made(batch, tmp_path):
    report = json.loads((batch / "run.json").read_text())
    write_image(tmp_path / "in/a.png", as_integers(picture(9, 7, 3), np.uint8))
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a.png").write_text("no image\n")
    report["items"] = [item for item in report["items"] if item["input"] == "in/a.png"]
    (tmp_path / "run.json").write_text(json.dumps(report))
    succeed("report", "run.json", "--html", "page.html", cwd=tmp_path)
    assert embedded((tmp_path / "page.html").read_text(), "gallery") == {"pictures": [], "missing": 1}


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """The page of 10,000 items, each 97th failed."""
    folder = tmp_path_factory.mktemp("large")
    items = []
    for i in range(10_000):
        bad = i % 97 == 0
        items.append(
            {"index": i, "input": f"in/{i:05}.png", "output": f"out/{i:05}.png", "psf": "disc"}
            | {"status": "failed" if bad else "done", "error": f"in/{i:05}.png: is broken; repair it" if bad else None}
            | {"warnings": [], "warning_details": [], "width": 640, "height": 480, "channels": 3, "type": "u8", "pixels": 307200}
            | {"plan": "a plan\n" * 20, "stages": {"read": 0.01, "write": 0.02}, "finished_seconds": i / 100}
        )
    failed = sum(item["status"] == "failed" for item in items)
    counts = {"total": 10_000, "done": 10_000 - failed, "failed": failed, "skipped": 0, "not_started": 0}
    report = {"version": "1", "command": ["clconv", "run"], "options": {}, "counts": counts, "wall_seconds": 100.0}
    report |= {"exit_code": 1, "stages": {"read": 100.0, "write": 200.0}, "items": items}
    (folder / "run.json").write_text(json.dumps(report))
    succeed("report", "run.json", "--html", "page.html", cwd=folder)
    return (folder / "page.html").read_text()


def test_a_page_of_ten_thousand_items_shows_a_hundred_at_a_time(large, tmp_path):
    assert len(large) < 6_000_000 and large.count("a plan") == 20, "each plan is there once"
    probe = """
        const rows = () => document.querySelectorAll("#items tbody tr").length;
        const summary = () => document.querySelector("#items [role=status]").textContent;
        const first = rows(), elements = document.querySelectorAll("*").length;
        const sort = [...document.querySelectorAll("#items thead button")].find(each => each.textContent.startsWith("Ended"));
        sort.click();
        sort.click();
        const last = document.querySelector("#items tbody .name").textContent;
        const state = document.querySelector("#items select");
        state.selectedIndex = 2;
        state.dispatchEvent(new Event("change"));
        const failed = summary();
        const search = document.querySelector("#items input");
        search.value = "097";
        search.dispatchEvent(new Event("input"));
        setTimeout(() => document.title = JSON.stringify([first, elements, last, failed, summary(), rows()]), 1000);"""
    title = html.unescape(re.search(r"<title>(.*?)</title>", shown(large, tmp_path, probe))[1])
    rows, elements, last, failed, searched, left = json.loads(title)
    assert rows == 100 and elements < 5000
    assert last == "in/09999.png" and failed == "104 of 10,000 items"
    expected = sum("097" in f"{i:05}" for i in range(0, 10_000, 97))
    assert expected == left == 4 and searched == "4 of 10,000 items"


def test_failures_of_one_kind_are_one_entry_with_all_names(large, tmp_path):
    failures = section(shown(large, tmp_path), "failures")
    assert failures.count('class="failure"') == 1
    assert "104 images" in words(failures) and "Is broken." in words(failures) and "Repair it." in words(failures)


def test_a_dry_run_writes_neither_page_nor_report(batch):
    succeed("run", "in/a.png", *BLUR, "--overwrite", "--dry-run", "--html", "dry.html", "--report", "dry.json", cwd=batch)
    assert not (batch / "dry.html").exists() and not (batch / "dry.json").exists()


def test_a_page_replaces_no_input_and_no_folder(batch):
    before = files_below(batch)
    for name, says in [("page.png", "name of an image"), ("in", "folder"), ("in/broken.png/page.html", "--html")]:
        fail(2, "run", "in/a.png", *BLUR, "--overwrite", "--html", name, says=[says], cwd=batch)
        fail(2, "report", "run.json", "--html", name, says=[says], cwd=batch)
        fail(2, "compare", "in/a.png", "out/a.png", "--html", name, says=[says], cwd=batch)
    fail(2, "report", "run.json", "--html", "run.json", says=["would replace"], cwd=batch)
    fail(2, "report", "run.json", says=["--html"], cwd=batch)
    assert files_below(batch) == before


def test_a_full_disk_is_reported_and_leaves_the_exit_code_of_failures(batch):
    fail(1, "run", "in/a.png", *BLUR, "--overwrite", "--html", "/dev/full", says=["--html", "cannot be written"], cwd=batch)
    fail(1, "report", "run.json", "--html", "/dev/full", says=["cannot be written"], cwd=batch)


@pytest.mark.parametrize(
    ("text", "says"),
    [("{", "not JSON"), ("[]", "not a report"), ('{"items": 1}', "not a report"), ("[" * 500, "nested"), (None, "cannot be read")],
)
def test_what_is_no_report_is_refused(tmp_path, text, says):
    if text is not None:
        (tmp_path / "r.json").write_text(text)
    fail(1, "report", "r.json", "--html", "page.html", says=["r.json", says], cwd=tmp_path)
    assert not (tmp_path / "page.html").exists()


def test_a_folder_of_reports_is_no_report(tmp_path):
    fail(1, "report", ".", "--html", "page.html", says=["is a folder"], cwd=tmp_path)
    fail(1, "merge-reports", ".", "--output", "all.json", says=["is a folder"], cwd=tmp_path)


def test_values_of_other_kinds_break_no_page(tmp_path):
    item = {name: [{}] for name in ["input", "error", "width", "stages", "residuals", "plan", "finished_seconds", "part"]}
    report = {"counts": 7, "items": [item | {"status": "toString", "warnings": 3}], "shards": [1, {}], "options": [], "device": "x"}
    (tmp_path / "r.json").write_text(json.dumps(report | {"stages": {"<b>": "x"}, "wall_seconds": "long", "command": [["a"]]}))
    succeed("report", "r.json", "--html", "page.html", cwd=tmp_path)
    assert "1 item" in words(section(shown((tmp_path / "page.html").read_text(), tmp_path), "items"))


def test_the_page_of_a_deconvolution_has_a_curve_an_image(batch):
    arguments = ("--psf", "gaussian:1", "--method", "rl", "--iterations", "6", "--output", "sharp")
    succeed("deconvolve", "in/a.png", *arguments, "--html", "sharp.html", cwd=batch)
    page = (batch / "sharp.html").read_text()
    (item,) = embedded(page, "report")["items"]
    assert len(item["residuals"]) == 6
    curves = re.findall(r'<polyline points="([^"]*)"', section(shown(page, batch), "residuals"))
    assert [len(curve.split()) for curve in curves] == [6]
    heights = [float(point.partition(",")[2]) for point in curves[0].split()]
    assert heights[0] < heights[-1], "residuals fall"


def test_the_page_of_a_comparison_has_its_numbers_and_pictures(batch, tmp_path):
    for folder in ["a", "b"]:
        write_image(tmp_path / folder / "same.png", as_integers(picture(20, 10, 3), np.uint8))
        write_image(tmp_path / folder / "other.png", as_integers(picture(20, 10, 3, seed=int(folder == "b")), np.uint8))
    write_image(tmp_path / "a/lonely.png", as_integers(picture(4, 4, 3), np.uint8))
    printed = fail(1, "compare", "a", "b", "--max", "3", "--json", "--html", "page.html", cwd=tmp_path).out
    page = (tmp_path / "page.html").read_text()
    assert_loads_nothing(page)
    assert embedded(page, "report") == json.loads(printed)
    (tmp_path / "compare.json").write_text(printed)
    succeed("report", "compare.json", "--html", "again.html", cwd=tmp_path)
    assert (tmp_path / "again.html").read_text() == page
    assert [len(images["whole"]) for images in embedded(page, "gallery")["pictures"]] == [3, 3], "and the difference"
    document = shown(page, tmp_path)
    assert total(document, "Pairs") == "2" and total(document, "Within") == "1" and total(document, "Outside") == "1"
    (other,) = [pair for pair in json.loads(printed)["pairs"] if pair["name"] == "other.png"]
    row = words(next(row for row in section(document, "items").split("<tr>") if "other.png" in row))
    assert f"{other['parts'][0]['max']:g}" in row.split()
    assert "lonely.png" in words(section(document, "failures"))


def test_the_page_of_merged_reports_has_the_shards(tmp_path):
    for number in range(3):
        write_image(tmp_path / f"in/{number}.png", as_integers(picture(23, 17, 3, seed=number), np.uint8))
    for shard in range(2):
        succeed("run", "in", *BLUR, "--shard", f"{shard}/2", "--report", f"{shard}.json", cwd=tmp_path)
    succeed("merge-reports", "0.json", "1.json", "--output", "whole.json", cwd=tmp_path)
    succeed("report", "whole.json", "--html", "page.html", cwd=tmp_path)
    page = (tmp_path / "page.html").read_text()
    assert len(embedded(page, "gallery")["pictures"]) == 3
    document = shown(page, tmp_path)
    assert total(document, "Done") == "3" and "1.json" in words(section(document, "shards"))
