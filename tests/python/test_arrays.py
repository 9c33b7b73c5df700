# SPDX-License-Identifier: Apache-2.0
"""Arrays of every type and layout, results where they are wanted, errors, threads and processes."""

import ast
import multiprocessing
import subprocess
import sys
import threading
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import clconv
from clconv import _core

RANDOM = np.random.default_rng(5)
PSF = clconv.psf(RANDOM.random((5, 7)))
TYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float16", "float32", "float64"]


def image_of(dtype, shape=(37, 53)):
    values = RANDOM.random(shape)
    return (values if np.dtype(dtype).kind == "f" else values * np.iinfo(dtype).max / 2).astype(dtype)


def reference(image):
    """Direct sums in double; the border is the nearest sample."""
    weights = PSF.samples
    height, width = weights.shape
    padded = np.pad(image.astype(float), ((height // 2,) * 2, (width // 2,) * 2), mode="edge")
    result = np.zeros(image.shape)
    for y in range(height):
        for x in range(width):
            result += weights[y, x] * padded[height - 1 - y :, width - 1 - x :][: image.shape[0], : image.shape[1]]
    return result


def assert_is_convolved(result, image):
    kind = image.dtype.kind
    if kind == "f":
        tolerance = {"float16": 1e-3}.get(image.dtype.name, 2e-6)
    else:
        tolerance = 0.51 if image.dtype.itemsize < 4 else 1e-6 * np.iinfo(image.dtype).max  # of float's 24 bits
    assert np.abs(result.astype(float) - reference(image)).max() <= tolerance


@pytest.mark.parametrize("dtype", TYPES)
def test_every_type(dtype):
    image = image_of(dtype)
    result = clconv.convolve(image, PSF)
    assert result.dtype == image.dtype
    assert_is_convolved(result, image)


@pytest.mark.parametrize("dtype", [">f4", ">u2", ">f8", "<f4"])
def test_both_byte_orders(dtype):
    image = image_of(dtype[1:]).astype(dtype)
    out = np.empty(image.shape, dtype)
    assert clconv.convolve(image, PSF, out=out) is out
    assert_is_convolved(out.astype(dtype[1:]), image.astype(dtype[1:]))


@pytest.mark.parametrize("dtype", [">f4", ">u2", ">f8", ">f2", "<f4"])
def test_results_in_both_byte_orders(dtype):
    image = image_of(dtype[1:])
    result = clconv.convolve(image, PSF, dtype=dtype)
    assert result.dtype.str == np.dtype(dtype).str
    assert_is_convolved(result.astype(dtype[1:]), image)
    colours = np.stack([image, image])
    np.testing.assert_array_equal(clconv.convolve(colours, PSF, dtype=dtype, channel_axis=0)[1], result)


def test_plans_of_both_byte_orders_need_no_samples():
    expected = clconv.plan((3000, 4000), PSF, dtype="<f4")
    tracemalloc.start()
    text = clconv.plan((3000, 4000), PSF, dtype=">f4")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert text == expected
    assert most < 1e6  # bytes; the samples would have 48e6


def test_the_module_refuses_the_other_byte_order():
    """It would take the bytes as they are. The package never gives it such arrays."""
    other = np.dtype(np.float32).newbyteorder()
    with pytest.raises(TypeError, match="byte order"):
        _core.Psf(np.ones((3, 3), other), {})
    with pytest.raises(TypeError, match="byte order"):
        _core.BufferView(0, other, [3, 3], -1)


VIEWS = {
    "fortran order": lambda a: np.asfortranarray(a),
    "transposed": lambda a: a.T,
    "upside down": lambda a: a[::-1],
    "mirrored": lambda a: a[:, ::-1],
    "every second": lambda a: a[::2, ::3],
    "a window": lambda a: a[3:-4, 5:-6],
    "repeated": lambda a: np.broadcast_to(a[:1], a.shape),
    "unaligned": lambda a: np.frombuffer(b"x" + a.tobytes(), a.dtype, offset=1).reshape(a.shape),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_every_view_is_read(view, dtype):
    image = VIEWS[view](image_of(dtype))
    assert_is_convolved(clconv.convolve(image, PSF), image)


@pytest.mark.parametrize("view", ["fortran order", "transposed", "upside down", "mirrored", "every second", "a window"])
def test_every_view_is_written_and_nothing_beside_it(view):
    whole = np.full((64, 66), -1, np.float32)
    out = VIEWS[view](whole)
    image = image_of("float32", out.shape)
    others = whole.copy()
    assert clconv.convolve(image, PSF, out=out) is out
    assert_is_convolved(out, image)
    if np.shares_memory(out, whole):
        VIEWS[view](others)[...] = out
        np.testing.assert_array_equal(whole, others)


def test_the_result_may_replace_the_image():
    image = image_of("float32")
    before = image.copy()
    clconv.convolve(image, PSF, out=image)
    assert_is_convolved(image, before)


def test_a_contiguous_result_is_written_in_place_each_time():
    blur = clconv.Convolver(PSF)
    out = np.empty((37, 53), np.float32)
    for _ in range(3):
        image = image_of("float32")
        assert blur(image, out=out) is out
        assert_is_convolved(out, image)
    assert blur.report.plan and blur.report.seconds > 0


def test_codes_stand_for_zero_to_one_in_floats():
    image = image_of("uint8")
    result = clconv.convolve(image, PSF, dtype=np.float32)
    np.testing.assert_allclose(result, reference(image) / 255, atol=2e-6)


def test_alpha_stays_in_a_bloom():
    image = RANDOM.random((32, 32, 4)).astype(np.float32)
    image[..., 3] = 1
    image[16, 16, 3] = 0.5
    result = clconv.bloom(image, "glow:10", alpha=-1, threshold=0.5)
    np.testing.assert_array_equal(result[..., 3], image[..., 3])
    assert np.abs(result[..., 0] - image[..., 0]).max() > 1e-3


def test_a_psf_is_made_once_and_shows_its_samples():
    psf = clconv.psf(np.array([[1, 0], [0, 3]], np.float32), psf_origin=(0, 1))
    np.testing.assert_array_equal(psf.samples, [[0.25, 0], [0, 0.75]])
    assert (psf.shape, psf.origin_x, psf.origin_y) == ((2, 2), 0, 1)
    assert clconv.psf(psf) is psf
    colours = clconv.psf(np.ones((3, 2, 5)), channel_axis=0)
    assert colours.shape == colours.samples.shape == (2, 5, 3)


@pytest.mark.parametrize("psf", [[[0, 1, 0], [1, 4, 1], [0, 1, 0]], np.eye(3, dtype=np.uint64), np.eye(3) > 0])
def test_psfs_of_whole_numbers_are_their_numbers(psf):
    """numpy makes int64 of Python's integers, which no image has."""
    assert np.array_equal(clconv.psf(psf, normalize="none").samples, np.asarray(psf, np.float64))


def test_a_psf_beside_its_origin_is_a_warning():
    weights = np.zeros((9, 9))
    weights[0, 0] = 1
    with pytest.warns(clconv.Warning):
        clconv.psf(weights)


BESIDE = np.eye(1, 49).reshape(7, 7)  # all of it in a corner
FITS_NOISE = clconv.Convolver([[1.0]], operation="deconvolve", iterations=2)
WARNED = {
    "psf": lambda: clconv.psf(BESIDE),
    "convolve": lambda: clconv.convolve(image_of("f4"), BESIDE),
    "deconvolve": lambda: clconv.deconvolve(image_of("f4"), BESIDE, iterations=2),
    "bloom": lambda: clconv.bloom(image_of("f4"), BESIDE),
    "plan": lambda: clconv.plan((37, 53), BESIDE),
    "Convolver": lambda: clconv.Convolver(BESIDE),
    "a result": lambda: FITS_NOISE(image_of("f4")),
}


@pytest.mark.parametrize("call", WARNED)
def test_warnings_name_the_line_that_called(call):
    clconv.clear()  # what is kept warned before
    with pytest.warns(clconv.Warning) as warned:
        WARNED[call]()
    line = WARNED[call].__code__.co_firstlineno
    assert {(warning.filename, warning.lineno) for warning in warned} == {(__file__, line)}


def test_plans_say_what_would_be_done_without_samples():
    text = clconv.plan((200, 300), "gaussian:5", method="fft")
    assert text == clconv.plan(np.zeros((200, 300), np.float32), "gaussian:5", method="fft")
    assert "fft" in text


def test_devices_and_options_are_the_librarys():
    devices = clconv.devices()
    assert clconv.Device(devices[0].index).info.name == devices[0].name
    for part in ("device", "psf", "convolve", "deconvolve", "bloom"):
        assert clconv.options(part)
    assert "border" in [option.name for option in clconv.options("convolve")]


WRONG = {
    "an unknown option": (lambda: clconv.convolve(image_of("f4"), PSF, bordr="wrap"), clconv.InvalidProblem, "border"),
    "an unknown border": (lambda: clconv.convolve(image_of("f4"), PSF, border="torus"), clconv.InvalidProblem, "torus"),
    "an unknown mode": (lambda: clconv.convolve(image_of("f4"), PSF, mode="torus"), clconv.InvalidProblem, "grid-wrap"),
    "two borders": (lambda: clconv.convolve(image_of("f4"), PSF, mode="wrap", border="wrap"), clconv.InvalidProblem, "border"),
    "a value without its mode": (lambda: clconv.convolve(image_of("f4"), PSF, cval=1), clconv.InvalidProblem, "cval"),
    "a fill without its treatment": (lambda: clconv.convolve(image_of("f4"), PSF, fill_value=1), clconv.InvalidProblem, "fill"),
    "two treatments": (
        lambda: clconv.convolve(image_of("f4"), PSF, nan_treatment="fill", nonfinite="zero"),
        clconv.InvalidProblem,
        "nonfinite",
    ),
    "options of a PSF that is ready": (
        lambda: clconv.convolve(image_of("f4"), PSF, normalize="none"),
        clconv.InvalidProblem,
        "normalize",
    ),
    "words of no PSF": (lambda: clconv.psf("gausian:2"), clconv.InvalidProblem, "gaus"),
    "a PSF without a sum": (lambda: clconv.psf([[1.0, -1.0]]), clconv.InvalidProblem, "none"),
    "one axis": (lambda: clconv.convolve(np.zeros(5), PSF), clconv.InvalidProblem, "shape"),
    "four axes": (lambda: clconv.convolve(np.zeros((1, 2, 3, 4)), PSF), clconv.InvalidProblem, "shape"),
    "an axis that is not there": (
        lambda: clconv.convolve(image_of("f4", (5, 7, 3)), PSF, channel_axis=9),
        clconv.InvalidProblem,
        "channel_axis=9",
    ),
    "no part of the library": (lambda: clconv.options("junk"), clconv.InvalidProblem, "junk"),
    "an empty image": (lambda: clconv.convolve(np.zeros((0, 5)), PSF), clconv.InvalidProblem, ""),
    "integers of 64 bits": (lambda: clconv.convolve(np.zeros((4, 5), int), PSF), TypeError, "astype"),
    "complex numbers": (lambda: clconv.convolve(np.zeros((4, 5), complex), PSF), TypeError, "complex"),
    "a masked array": (lambda: clconv.convolve(np.ma.masked_equal(image_of("f4"), 0), PSF), TypeError, "filled"),
    "out of another shape": (lambda: clconv.convolve(image_of("f4"), PSF, out=np.empty((5, 5))), clconv.InvalidProblem, "shape"),
    "out that is no array": (lambda: clconv.convolve(image_of("f4"), PSF, out=[0]), TypeError, "list"),
    "two types of a result": (
        lambda: clconv.convolve(image_of("f4"), PSF, out=image_of("f4"), dtype="f8"),
        clconv.InvalidProblem,
        "float64",
    ),
    "no such alpha": (lambda: clconv.convolve(image_of("f4"), PSF, alpha=1), clconv.InvalidProblem, "alpha"),
    "no such device": (lambda: clconv.Device("99:0"), clconv.DeviceError, "99:0"),
    "NaN": (lambda: clconv.convolve(np.full((4, 5), np.nan), PSF), clconv.InputError, ""),
}


@pytest.mark.parametrize("what", WRONG)
def test_errors_name_what_is_wrong(what):
    call, kind, word = WRONG[what]
    with pytest.raises(kind, match=word):
        call()


def test_read_only_results_are_refused():
    out = np.empty((37, 53), np.float32)
    out.flags.writeable = False
    with pytest.raises(clconv.InvalidProblem, match="read-only"):
        clconv.convolve(image_of("float32"), PSF, out=out)


def test_a_word_of_python_is_an_option_too():
    image = image_of("float32")
    by_name = clconv.deconvolve(image, PSF, method="tikhonov", **{"lambda": 0.01})
    assert np.array_equal(clconv.deconvolve(image, PSF, method="tikhonov", lambda_=0.01), by_name)


def test_several_decisions_are_a_list():
    text = clconv.plan(image_of("float32"), PSF, decide=["method=fft", "residence=global"])
    assert "method fft as requested" in text and "launches" in text


def test_errors_are_pythons_too():
    assert issubclass(clconv.InvalidProblem, ValueError) and issubclass(clconv.InputError, ValueError)
    assert issubclass(clconv.BuildError, clconv.DeviceError) and issubclass(clconv.DeviceError, RuntimeError)
    assert all(issubclass(kind, clconv.Error) for kind in (clconv.InputError, clconv.InternalError))


def test_other_threads_run_while_an_image_is_convolved():
    blur = clconv.Convolver("gaussian:20", method="fft")
    image = image_of("float32", (1500, 1500))
    blur(image)  # prepares
    rounds = 0
    is_done = False

    def work():
        nonlocal is_done
        blur(image)
        is_done = True

    worker = threading.Thread(target=work)
    worker.start()
    while not is_done:
        rounds += 1
    worker.join()
    assert rounds > 1000  # a thread that waits for the interpreter has none, or a few


def test_threads_may_share_a_convolver():
    blur = clconv.Convolver(PSF)
    images = [image_of("float32", (40 + i, 50)) for i in range(8)]
    results = [None] * len(images)

    def work(i):
        results[i] = blur(images[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(images))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for image, result in zip(images, results):
        assert_is_convolved(result, image)


DAEMON = """
import threading, numpy, clconv
blur = clconv.Convolver("gaussian:5")
image = numpy.random.default_rng(1).random((512, 512), "float32")
has_begun = threading.Event()

def work():
    while True:
        blur(image)
        has_begun.set()

threading.Thread(target=work, daemon=True).start()
has_begun.wait()
print("end", flush=True)
"""


def test_the_interpreter_ends_while_a_daemon_thread_convolves():
    for _ in range(3):  # the thread computes, or waits for the interpreter
        done = subprocess.run([sys.executable, "-c", DAEMON], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def spawned(image):
    return clconv.convolve(image, PSF.samples, normalize="none")


def test_processes_that_are_spawned_convolve():
    image = image_of("float32")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert_is_convolved(pool.apply(spawned, (image,)), image)


def test_processes_that_are_forked_after_a_use_of_opencl_raise_an_error():
    clconv.devices()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        with pytest.raises(clconv.DeviceError, match="spawn"):
            pool.apply_async(spawned, (image_of("float32"),)).get(timeout=60)


FORKED = """
import multiprocessing, numpy, clconv
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(pool.apply_async(clconv.convolve, (numpy.ones((9, 9), "float32"), "box:3")).get(timeout=60).max())
"""


def test_processes_that_are_forked_before_convolve():
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True)
    assert (done.returncode, float(done.stdout)) == (0, pytest.approx(1)), done.stderr


def test_axes_that_no_size_holds_are_refused():
    for shape in [(2**31, 1), (1, 2**32 + 3), (1, 1, 2**33)]:
        with pytest.raises(ValueError, match=f"{max(shape)} elements"):
            clconv.psf(np.broadcast_to(1.0, shape))


def test_calls_with_the_same_psf_and_options_are_prepared_once(monkeypatch):
    made = []
    real = clconv._functions.Convolver
    monkeypatch.setattr(clconv._functions, "Convolver", lambda *a, **k: made.append(a) or real(*a, **k))
    clconv.clear()
    weights = RANDOM.random((3, 3))
    for _ in range(3):
        clconv.convolve(image_of("float32"), weights, border="wrap")
    assert len(made) == 1
    weights[0, 0] += 1
    clconv.convolve(image_of("float32"), weights, border="wrap")
    clconv.convolve(image_of("float32"), weights, border="zero")
    assert len(made) == 3


def test_a_masked_psf_is_refused_also_where_its_samples_were_used_before():
    weights = RANDOM.random((3, 3))
    clconv.convolve(image_of("float32"), weights)
    with pytest.raises(TypeError, match="masked"):
        clconv.convolve(image_of("float32"), np.ma.masked_less(weights, 0.5))


def test_the_stub_has_the_names_of_the_module():
    stub = ast.parse((Path(_core.__file__).parent / "_core.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    assert set(classes) | functions == {name for name in vars(_core) if not name.startswith("__")}
    for name, node in classes.items():
        typed = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        there = {part for part in vars(getattr(_core, name)) if not part.startswith("_")}
        assert typed - {"__init__"} == there, name
