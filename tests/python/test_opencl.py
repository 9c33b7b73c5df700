# SPDX-License-Identifier: Apache-2.0
"""Arrays of pyopencl are convolved where they are, and other arrays do not need pyopencl."""

import subprocess
import sys

import numpy as np
import pyopencl as cl
import pyopencl.array
import pytest

import clconv

RANDOM = np.random.default_rng(7)
PSF = clconv.psf(RANDOM.random((5, 7)))
IMAGE = RANDOM.random((37, 53)).astype(np.float32)
COLOURS = (RANDOM.random((37, 53, 3)) * 255).astype(np.uint8)


@pytest.fixture(scope="module")
def queue():
    return cl.CommandQueue(cl.Context([cl.get_platforms()[0].get_devices()[0]]))


@pytest.fixture(scope="module")
def image(queue):
    return pyopencl.array.to_device(queue, IMAGE)


@pytest.mark.parametrize("samples", [IMAGE, COLOURS, (IMAGE * 60000).astype(np.uint16), IMAGE.astype(np.float16)])
def test_the_result_is_that_of_a_numpy_array(queue, samples):
    result = clconv.convolve(pyopencl.array.to_device(queue, samples), PSF, border="mirror")
    assert isinstance(result, pyopencl.array.Array) and result.queue is queue and result.dtype == samples.dtype
    expected = clconv.convolve(samples, PSF, border="mirror").astype(np.float64)
    # Buffers are not read, so no mean is subtracted: another rounding, by which one code is as near as the next.
    allowed = 1 if samples.dtype.kind == "u" else 1e-3 if samples.dtype.itemsize == 2 else 1e-6
    np.testing.assert_allclose(result.get().astype(np.float64), expected, atol=allowed)


def test_another_type_and_size(queue):
    result = clconv.convolve(pyopencl.array.to_device(queue, COLOURS), PSF, mode="full", dtype=np.float32)
    assert result.shape == (41, 59, 3)
    np.testing.assert_allclose(result.get(), clconv.convolve(COLOURS, PSF, mode="full", dtype=np.float32), atol=1e-6)


def test_doubles(queue):
    samples = IMAGE.astype(np.float64)
    result = clconv.convolve(pyopencl.array.to_device(queue, samples), PSF, precision="double")
    np.testing.assert_allclose(result.get(), clconv.convolve(samples, PSF, precision="double"), rtol=1e-14)


def test_work_on_a_queue_stays_in_order_and_results_go_into_out(queue, image):
    blur = clconv.Convolver(PSF, device=queue)
    out = pyopencl.array.zeros(queue, IMAGE.shape, np.float32)
    scaled = image * np.float32(4)
    assert blur(scaled, out=out) is out
    twice = blur(out + np.float32(1))
    expected = clconv.convolve(clconv.convolve(4 * IMAGE, PSF) + 1, PSF)
    np.testing.assert_allclose(twice.get(), expected, rtol=1e-6)


def test_a_queue_out_of_order_waits_for_the_arrays_events(queue):
    loose = cl.CommandQueue(queue.context, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
    samples = RANDOM.random((512, 512)).astype(np.float32)
    given = pyopencl.array.to_device(loose, samples)
    for _ in range(4):
        given = given + np.float32(1)
    result = clconv.convolve(given, PSF) * np.float32(2)
    np.testing.assert_allclose(result.get(), 2 * clconv.convolve(samples + 4, PSF), rtol=1e-6)


def test_a_result_waits_for_an_event_of_the_users(queue):
    """So nothing is computed before, and the call does not wait for it."""
    samples = pyopencl.array.zeros(queue, IMAGE.shape, np.float32)
    gate = cl.UserEvent(queue.context)
    samples.add_event(gate)
    result = clconv.convolve(samples, PSF)
    assert result.events and result.events[-1].command_execution_status != cl.command_execution_status.COMPLETE
    gate.set_status(cl.command_execution_status.COMPLETE)
    assert not result.get().any()


def test_one_convolver_takes_arrays_of_several_contexts_and_numpys(queue, image):
    other = cl.CommandQueue(cl.Context([queue.device]))
    blur = clconv.Convolver(PSF, mode="constant", cval=0.5)
    expected = blur(IMAGE)
    for array in [image, pyopencl.array.to_device(other, IMAGE), image]:
        np.testing.assert_allclose(blur(array).get(), expected, rtol=1e-5)
    assert blur.report is None
    assert "37" in blur.plan(image)


@pytest.mark.parametrize("name, options", [("deconvolve", {"iterations": 3}), ("deconvolve", {"method": "wiener"}), ("bloom", {})])
def test_deconvolve_and_bloom_go_by_way_of_the_host(queue, image, name, options):
    operation = getattr(clconv, name)
    out = pyopencl.array.zeros(queue, IMAGE.shape, np.float32)
    assert operation(image, PSF, out=out, **options) is out
    np.testing.assert_array_equal(out.get(), operation(IMAGE, PSF, **options))
    assert operation(image, PSF, dtype=np.float64, **options).dtype == np.float64


def test_gaps_are_filled_where_samples_go_by_way_of_the_host(queue):
    samples = IMAGE.copy()
    samples[3, 4] = np.nan
    options = {"iterations": 2, "nan_treatment": "fill", "fill_value": 0.25}
    result = clconv.deconvolve(pyopencl.array.to_device(queue, samples), PSF, **options)
    np.testing.assert_array_equal(result.get(), clconv.deconvolve(samples, PSF, **options))


def test_what_does_not_fit_is_said(queue, image):
    other = cl.CommandQueue(cl.Context([queue.device]))

    def refused(*says, array=image, error=clconv.InvalidProblem, **options):
        with pytest.raises(error) as raised:
            clconv.convolve(array, PSF, **options)
        assert not [word for word in says if word not in str(raised.value)], raised.value

    refused("strides", "copy", array=image[:, ::2])
    refused("strides", array=image.T)
    refused("begins", "212 bytes", "copy()", array=image[1:])
    refused("has no queue", "with_queue", array=image.with_queue(None))
    refused("(53,)", array=pyopencl.array.to_device(queue, IMAGE[0]))
    refused("channel_axis", array=pyopencl.array.to_device(queue, np.zeros((3, 8, 8), np.float32)), channel_axis=0)
    refused("device", array=image, device=other)
    refused("device", array=image, device=clconv.Device())
    refused("out", "ndarray", error=TypeError, out=np.empty_like(IMAGE))
    refused("numpy", array=IMAGE, error=TypeError, out=image)
    refused("another context", out=pyopencl.array.zeros(other, IMAGE.shape, np.float32))
    refused("own buffer", out=image)
    refused("(9, 9)", out=pyopencl.array.zeros(queue, (9, 9), np.float32))
    refused("dtype", out=pyopencl.array.zeros(queue, IMAGE.shape, np.float32), dtype=np.uint8)
    refused("buffers have samples", array=pyopencl.array.to_device(queue, IMAGE.astype(np.int32)))
    refused("complex64", error=TypeError, array=pyopencl.array.to_device(queue, IMAGE.astype(np.complex64)))
    refused("nonfinite", nan_treatment="interpolate")
    refused("nonfinite", nan_treatment="fill")
    refused("nan_treatment='fill'", "get()", nan_treatment="fill", fill_value=3)
    refused("mix", mix=0.5)
    refused("alpha=3", alpha=3)


def test_pyopencl_is_not_imported():
    code = "import sys, clconv, numpy; clconv.convolve(numpy.ones((8, 8)), 'box:3'); assert 'pyopencl' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
