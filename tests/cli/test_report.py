# SPDX-License-Identifier: Apache-2.0
"""What a run tells: the report, the log, the summary; and what standard output is kept for."""

import json
import subprocess

import numpy as np
import pytest
from support.images import as_integers, picture, random_psf, write_image, write_psf
from support.tool import BINARY, clconv, environment, fail, files_below, succeed

RUN = ("run", "in", "--psf", "psf.txt", "--output", "out")


@pytest.fixture()
def folder(tmp_path):
    write_image(tmp_path / "in/a.png", as_integers(picture(23, 17, 3), np.uint8))
    write_image(tmp_path / "in/b.exr", picture(33, 20, 4).astype(np.float16))
    write_psf(tmp_path / "psf.txt", random_psf(3, 3))
    return tmp_path


def test_the_report_has_an_entry_an_item(folder):
    (folder / "in/broken.png").write_text("broken\n")
    fail(1, *RUN, "--report", "report.json", cwd=folder)
    report = json.loads((folder / "report.json").read_text())
    items = report["items"]
    assert [item["input"] for item in items] == ["in/a.png", "in/b.exr", "in/broken.png"]
    assert [item["output"] for item in items] == ["out/a.png", "out/b.exr", "out/broken.png"]
    assert [item["status"] for item in items] == ["done", "done", "failed"]
    assert items[0]["error"] is None and "broken.png" in items[2]["error"]
    assert [(item["width"], item["height"], item["channels"], item["type"]) for item in items[:2]] == [
        (23, 17, 3, "u8"),
        (33, 20, 4, "half"),
    ]
    for item in items[:2]:
        assert item["psf"] == "psf" and item["device"] and item["plan"]
        assert {"read", "write", "upload", "download"} <= set(item["stages"])
        assert all(seconds >= 0 for seconds in item["stages"].values())
        assert item["pixels"] == item["width"] * item["height"]
    assert all(0 < item["finished_seconds"] <= report["wall_seconds"] for item in items)
    assert report["exit_code"] == 1
    assert report["counts"] | {"total": 3, "done": 2, "failed": 1, "skipped": 0} == report["counts"]


def test_the_report_says_what_was_skipped(folder):
    succeed("run", "in/a.png", "--psf", "psf.txt", "--output", "out", cwd=folder)
    succeed(*RUN, "--skip-existing", "--report", "report.json", cwd=folder)
    report = json.loads((folder / "report.json").read_text())
    assert [item["status"] for item in report["items"]] == ["skipped", "done"]


def test_a_report_that_cannot_be_written_is_refused_before_any_work(folder):
    (folder / "file").write_text("")
    fail(2, *RUN, "--report", "file/report.json", says=["report"], cwd=folder)
    assert not (folder / "out").exists()


def test_a_report_replaces_no_file_that_was_given(folder):
    plain = (folder / "in/a.png").read_bytes()
    (folder / "plain").write_bytes(plain)
    (folder / "list").write_text("in/a.png\nplain\n")
    words = ("--psf", "psf.txt", "--output", "out", "--format", "png")
    for option in ("--report", "--html", "--events", "--trace", "--manifest", "--log-file"):
        for file in ("list", "in/../plain"):
            says = [option, "would replace the input"]
            fail(2, "run", "--files-from", "list", *words, option, file, says=says, cwd=folder)
    assert (folder / "plain").read_bytes() == plain and (folder / "list").read_text() == "in/a.png\nplain\n"
    assert not (folder / "out").exists()
    succeed("run", "in/*", *words, "--report", "in/report.json", cwd=folder)  # which no pattern means


def test_a_report_replaces_no_input_by_another_name_of_it(folder):
    """A hard link: --log-file appended its lines to the picture."""
    image = folder / "in/a.png"
    image_bytes = image.read_bytes()
    (folder / "notes").hardlink_to(image)
    for option in ("--report", "--html", "--events", "--trace", "--manifest", "--log-file"):
        fail(2, "run", image, "--psf", "psf.txt", "--output", "out", option, "notes", says=[option, "would replace the input"], cwd=folder)
    assert image.read_bytes() == image_bytes


def test_two_reports_are_not_one_file(folder):
    for first, second in [("--report", "--html"), ("--trace", "--events"), ("--manifest", "--log-file")]:
        fail(2, *RUN, first, "same", second, "in/../same", says=[first, second, "the same file"], cwd=folder)
    assert not (folder / "same").exists() and not (folder / "out").exists()
    succeed(*RUN, "--report", "/dev/null", "--html", "/dev/null", cwd=folder)


def test_a_folder_is_no_report(folder):
    fail(2, *RUN, "--report", "new/", says=["--report new/: is a folder"], cwd=folder)


def test_standard_output_stays_empty(folder):
    for options in [[], ["-v"], ["-vv"], ["-q"]]:
        assert succeed(*RUN, "--overwrite", *options, cwd=folder).out == ""


def test_quiet_says_nothing_when_all_is_well_and_still_names_failures(folder):
    assert succeed(*RUN, "-q", cwd=folder).err == ""
    (folder / "in/broken.png").write_text("broken\n")
    fail(1, *RUN, "-q", "--overwrite", says=["broken.png"], cwd=folder)


def test_verbose_says_more(folder):
    lengths = [len(succeed(*RUN, "--overwrite", *options, cwd=folder).err) for options in [[], ["-v"]]]
    assert lengths[1] > lengths[0]


def test_the_log_level_can_be_named(folder):
    assert succeed(*RUN, "--log-level", "error", cwd=folder).err == ""
    assert "in/a.png" in succeed(*RUN, "--overwrite", "--log-level", "debug", cwd=folder).err


def test_a_log_file_gets_the_log_too(folder):
    succeed(*RUN, "--log-file", "log.txt", "-q", cwd=folder)
    text = (folder / "log.txt").read_text()
    assert "a.png" in text and "b.exr" in text


def test_the_summary_counts_and_says_where_the_time_went(folder):
    last = succeed(*RUN, cwd=folder).err.splitlines()[-3:]
    for line, words in zip(last, [["2 done", "0 failed", "0 skipped"], ["images/s", "Mpixel/s"], ["readers", "device"]]):
        assert all(word in line for word in words), last
    table = succeed(*RUN, "--overwrite", "-v", cwd=folder).err
    for word in ["where the time went", "read", "compiling", "upload", "download", "write"]:
        assert word in table, word


def test_no_colour_and_no_progress_bar_without_a_terminal(folder):
    err = succeed(*RUN, cwd=folder).err
    assert "\x1b" not in err and "\r" not in err


def test_help_goes_to_standard_output_and_lists_only_what_works(folder):
    for command in [[], ["run"], ["plan"], ["devices"], ["merge-reports"]]:
        result = succeed(*command, "--help")
        assert result.err == "" and "--help" in result.out
    text = succeed("run", "--help").out
    for option in ["--psf", "--output", "--border", "--mode", "--normalize", "--radix", "--report", "--skip-existing"]:
        assert option in text, option
    assert "correlat" in text and "scipy" in text, "how peers call it is said"


def test_the_version_is_printed(folder):
    assert succeed("--version").out.startswith("clconv 0.")


def test_a_reader_that_goes_away_is_no_error_of_ours(folder):
    command = f"'{BINARY}' run --help | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment())
    assert "internal" not in done.stderr.lower(), done.stderr


def test_a_run_leaves_its_outputs_and_its_report_and_nothing_else(folder):
    before = set(files_below(folder))
    succeed(*RUN, "--report", "report.json", cwd=folder)
    assert set(files_below(folder)) - before == {"out/a.png", "out/b.exr", "report.json"}
    assert clconv(*RUN, cwd=folder).code == 4


def test_a_warning_is_one_line_for_each_kind_and_run(tmp_path):
    for name in ["a", "b", "c"]:
        write_image(tmp_path / f"in/{name}.exr", picture(9, 7, 3))
    write_image(tmp_path / "in/d.png", as_integers(picture(9, 7, 3), np.uint8))
    command = ("run", "in", "--psf", "box:1", "--output", "out", "--format", "png", "--report", "r.json", "--events", "e")
    result = succeed(*command, cwd=tmp_path)
    warnings = [line for line in result.err.splitlines() if line.startswith("warning: ") and "u16" in line]
    assert len(warnings) == 1 and "in/a.exr" in warnings[0] and "2 more warnings of kind type" in warnings[0], result
    items = json.loads((tmp_path / "r.json").read_text())["items"]
    for item in items[:3]:
        (detail,) = [d for d in item["warning_details"] if d["kind"] == "type"]
        assert (detail["from"], detail["to"]) == ("float", "u16") and item["input"] in detail["message"]
        assert [d["message"] for d in item["warning_details"]] == item["warnings"]
    assert not [d for d in items[3]["warning_details"] if d["kind"] == "type"]
    events = [json.loads(line) for line in (tmp_path / "e").read_text().splitlines()]
    finished = {e["index"]: e["warning_details"] for e in events if e["event"] == "item_finished"}
    assert finished == {item["index"]: item["warning_details"] for item in items}
