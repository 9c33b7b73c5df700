# SPDX-License-Identifier: Apache-2.0
"""Examples of docstrings and of docs/python.md do what they say."""

import doctest
import importlib
import inspect
import re
from pathlib import Path

import pytest

import clconv

MODULES = ["clconv", "clconv._convolver", "clconv._core", "clconv._functions", "clconv._samples"]
PAGE = Path(__file__).parents[2] / "docs/python.md"


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name):
    module = importlib.import_module(name)
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    tests = [test for test in finder.find(module, name) if test.examples]
    if name == "clconv._core":  # the finder passes over functions of compiled modules
        tests += [doctest.DocTestParser().get_doctest(module.options.__doc__, {}, "options", None, 0)]
    assert tests
    for test in tests:
        runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("name", clconv.__all__)
def test_everything_public_has_a_docstring(name):
    thing = getattr(clconv, name)
    assert inspect.getdoc(thing)
    assert inspect.isclass(thing) or "Returns\n-------" in inspect.getdoc(thing) or name == "clear"


CODE = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)


@pytest.mark.parametrize("number", range(len(CODE)))
def test_examples_of_the_page(number):
    exec(compile(CODE[number], f"{PAGE}, example {number + 1}", "exec"), {"__name__": "example"})


def test_the_page_has_examples():
    assert len(CODE) >= 4
