# SPDX-License-Identifier: Apache-2.0
"""Options that force each way to compute a result: every method, in the shapes of CPUs and of GPUs."""

METHODS = {
    "lanes": ["--method", "fft"],
    "work-groups": ["--method", "fft", "--decide", "lanes=1"],
    "global": ["--method", "fft", "--decide", "residence=global"],
    "tiles": ["--method", "tiled"],
    "tiles of work-groups": ["--method", "tiled", "--decide", "lanes=1"],
    "direct": ["--method", "direct"],
    "direct of work-groups": ["--method", "direct", "--decide", "lanes=1"],
}
