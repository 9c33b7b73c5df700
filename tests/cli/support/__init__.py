# SPDX-License-Identifier: Apache-2.0
"""What the tests of the real binary share: calling it, image files, and what its results should be."""
