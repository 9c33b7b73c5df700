# SPDX-License-Identifier: Apache-2.0
"""Which cases of a parametrised test run always, and which only with `scripts/test --full`.

A run of a program that was not compiled before takes two seconds. So each value of each dimension runs always, beside some
value of the others; all of their combinations run with the mark `full`."""

import pytest


def mostly_full(cases, always):
    """`cases` for pytest.mark.parametrize(). Those in `always` run always, the others are marked `full`.

    A case of several arguments is a tuple of them."""
    cases, always = list(cases), list(always)
    unknown = [case for case in always if case not in cases]
    assert always and not unknown, f"no cases: {unknown}"
    return [case if case in always else full(case) for case in cases]


def full(case):
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.full)
