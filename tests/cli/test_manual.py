# SPDX-License-Identifier: Apache-2.0
"""docs/manual: a page for each command, whose options are those of --help. WRITE_MANUAL=1 scripts/test -R cli/manual writes them anew."""

import os
import re
import shlex
import signal
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

import pytest
from support.tool import ROOT, succeed

MANUAL = ROOT / "docs/manual"
BEGIN, END = "<!-- options, made from --help -->\n", "<!-- end of options -->\n"
COMMANDS = re.findall(r"^  ([a-z-]+)  +(\S.*)$", succeed("--help").out.partition("Commands:")[2].partition("\nOptions")[0], re.M)


def make_man():
    """scripts/make-man as a module: it knows how --help is laid out."""
    loader = SourceFileLoader("make_man", str(ROOT / "scripts/make-man"))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


LAYOUT = make_man()


def cell(text):
    lines = re.sub(r"([|<*])", r"\\\1", text.strip()).split("\n")
    return "<br>".join(re.sub(r" {2,}", ": ", line, count=1) if re.search(r"\S {2,}\S", line) else line for line in lines)


def options_part(command):
    """The options of --help as tables, one a group."""
    _, usage, groups, _ = LAYOUT.sections(succeed(command, "--help").out)
    text = f"{BEGIN}## Options\n\n    {usage}\n"
    for group, lines in groups:
        entries = [entry for entry in LAYOUT.option_entries(lines) if entry[0] != "-h,--help"]
        if not entries:
            continue
        group = {"POSITIONALS": "Arguments"}.get(group, group)
        text += f"\n### {group}\n\n| option | meaning |\n|---|---|\n"
        for names, meaning in entries:
            text += f"| `{names.replace('|', chr(92) + '|')}` | {cell(meaning)} |\n"
    return text + END


def new_page(command, purpose):
    """What a command's page is before somebody has written it: its purpose and its examples."""
    about, _, _, rest = LAYOUT.sections(succeed(command, "--help").out)
    examples = "".join(f"    {line.strip()}\n" for line in rest if line.startswith("  "))
    text = f"# clconv {command}\n\n{purpose[0].upper()}{purpose[1:]}.\n"
    return text + (f"\n## Examples\n\n{examples}" if examples else "") + f"\n{options_part(command)}"


@pytest.mark.parametrize("command, purpose", COMMANDS)
def test_the_page_of_a_command_has_the_options_of_its_help(command, purpose):
    path = MANUAL / f"{command}.md"
    if "WRITE_MANUAL" in os.environ:
        page = path.read_text() if path.exists() else new_page(command, purpose)
        path.write_text(re.sub(f"{BEGIN}.*{END}", lambda _: options_part(command), page, flags=re.S))
    assert path.exists(), f"{path} is missing; WRITE_MANUAL=1 scripts/test -R cli/manual begins it"
    assert options_part(command) in path.read_text(), f"{path} differs from --help; WRITE_MANUAL=1 scripts/test -R cli/manual"


def test_the_contents_list_every_page_and_command():
    contents = (MANUAL / "README.md").read_text()
    pages = {path.name for path in MANUAL.glob("*.md")} - {"README.md"}
    assert set(re.findall(r"\]\(([a-z-]+\.md)\)", contents)) == pages
    assert {f"{command}.md" for command, _ in COMMANDS} <= pages


def examples():
    """(page, line) of every example of a command, in the README and all pages that describe the tool."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *MANUAL.glob("*.md")]
    for page in pages:
        for line in re.sub(r" \\\n +", " ", page.read_text()).split("\n"):
            if found := re.match(r"    .*?\b(clconv [a-z-]+ .*)", line):
                yield page.relative_to(ROOT), found.group(1)


def test_examples_have_options_that_exist():
    names = {command: set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", succeed(command, "--help").out)) for command, _ in COMMANDS}
    unknown, found = [], 0
    for page, line in examples():
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            unknown.append((str(page), line))
            continue
        command = words[1]
        options = [word.partition("=")[0] for word in words[2:] if re.match(r"--?[a-z]", word)]
        found += len(options)
        if command not in names or not set(options) <= names[command]:
            unknown.append((str(page), line))
    assert found > 100
    assert not unknown


def test_help_and_contract_have_the_same_exit_codes():
    table = (ROOT / "docs/conventions.md").read_text().partition("## Exit codes")[2]
    in_contract = {int(code) for row in re.findall(r"^\| ([\d, ]+) \|", table, re.M) for code in row.split(", ")}
    in_help = {int(code) for code in re.findall(r"\b\d+\b", succeed("run", "--help").out.partition("Exit codes:")[2])}
    ends = {128 + number for number in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGTERM)}
    assert in_contract == in_help == {*range(7), *ends}
