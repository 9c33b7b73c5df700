# SPDX-License-Identifier: Apache-2.0
"""clconv deconvolve --like skimage against scikit-image: its published answers, and itself on another picture.

Debian's python3-skimage ships the answers of scikit-image's own tests: camera.png blurred by a box of 5 with noise.
scikit-image runs in a process of its own, because its libraries and OpenImageIO's crash in one.
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.signal import convolve2d
from support.images import picture, random_psf, read_image, write_image, write_psf
from support.reference import assert_same_floats
from support.tool import fail, succeed

SKIMAGE = Path(find_spec("skimage").origin).parent
BOX = np.ones((5, 5)) / 25


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("skimage")
    camera = np.array(Image.open(SKIMAGE / "data/camera.png")).astype(np.float64) / 255
    camera = convolve2d(camera, BOX, "same")
    np.random.seed(0)
    camera += 0.1 * camera.std() * np.random.standard_normal(camera.shape)
    assert (camera < 0).sum() == 2415  # as published
    write_image(folder / "camera.exr", camera.astype(np.float32))
    write_psf(folder / "box.txt", BOX)
    write_image(folder / "other.exr", picture(61, 47, 1) - np.float32(0.05))
    write_psf(folder / "psf.txt", random_psf(7, 5) / 20)
    return folder


def like_skimage(folder, image, psf, *options):
    words = ("--like", "skimage", "--psf", psf, "--output", "out", "--overwrite")
    succeed("deconvolve", image, *words, *options, cwd=folder)
    return read_image(folder / "out" / image)[..., 0]


def published(name):
    return np.load(SKIMAGE / "restoration/tests" / name)


def by_skimage(folder, call, image, psf):
    """What scikit-image makes of the image: `call` of image and psf."""
    np.savez(folder / "input.npz", image=image.astype(np.float64), psf=psf)
    code = (
        "import numpy as np; from skimage import restoration; given = np.load('input.npz'); "
        f"image, psf = given['image'], given['psf']; np.save('output.npy', {call})"
    )
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
    return np.load(folder / "output.npy")


def iterations_kept_in_floats(image):
    """The iterations of scikit-image in double, but all that they keep in memory as floats."""

    def kept(values):
        return values.astype(np.float32).astype(np.float64)

    data, estimate = kept(image), np.full(image.shape, 0.5)
    for _ in range(5):
        ratio = kept(data / (kept(convolve2d(estimate, BOX, "same")) + 1e-12))
        estimate = kept(estimate * kept(convolve2d(ratio, BOX, "same")))
    return np.clip(estimate, -1, 1)


def test_the_published_answer_of_richardson_lucy(folder):
    """In double: ratios reach 1168, and transforms in float spread their rounding beyond the published tolerance.

    Models, estimates and ratios are floats in memory even so. Where a model cancels to 1e-5, that alone puts three samples of
    262144 beyond 0.001, one of them 0.6 % off.
    """
    result = like_skimage(folder, "camera.exr", "box.txt", "--method", "rl", "--iterations", 5, "--precision", "double")
    expected = published("camera_rl.npy")
    assert (~np.isclose(result, expected, rtol=1e-3, atol=1e-6)).sum() <= 1
    np.testing.assert_allclose(result, expected, rtol=1e-3, atol=5e-5)
    in_floats = iterations_kept_in_floats(read_image(folder / "camera.exr")[..., 0])
    np.testing.assert_allclose(result, in_floats, rtol=1e-3)
    assert (~np.isclose(in_floats, expected, rtol=1e-3, atol=0)).sum() == 3


def test_the_published_answer_in_float_is_near(folder):
    result = like_skimage(folder, "camera.exr", "box.txt", "--method", "rl", "--iterations", 5)
    assert np.mean(~np.isclose(result, published("camera_rl.npy"), rtol=1e-3, atol=1e-5)) < 0.002


@pytest.mark.parametrize("precision", ["float", "double"])
def test_the_published_answer_of_wiener(folder, precision):
    words = ("--method", "wiener", "--lambda", 0.05, "--precision", precision)
    result = like_skimage(folder, "camera.exr", "box.txt", *words)
    np.testing.assert_allclose(result, published("camera_wiener.npy"), rtol=1e-3, atol=1e-5)


def test_iterations_on_another_picture(folder):
    image, psf = picture(61, 47, 1)[..., 0] - np.float32(0.05), random_psf(7, 5) / 20
    result = like_skimage(folder, "other.exr", "psf.txt", "--method", "rl", "--iterations", 6, "--precision", "double")
    expected = by_skimage(folder, "restoration.richardson_lucy(image, psf, num_iter=6)", image, psf)
    assert abs(expected).max() <= 1
    np.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-5)


def test_wiener_on_another_picture(folder):
    image, psf = picture(128, 90, 1)[..., 0], random_psf(7, 5)
    write_image(folder / "exact.exr", image)
    write_psf(folder / "exact.txt", psf)
    result = like_skimage(folder, "exact.exr", "exact.txt", "--method", "wiener", "--lambda", 0.2)
    expected = by_skimage(folder, "restoration.wiener(image, psf, 0.2)", image, psf)
    assert_same_floats(result, expected, tolerance=1e-5)


def test_masked_borders_are_better_near_the_edge_than_scikit_image(folder):
    """A picture cut from a larger one, as all are: PSNR within 20 pixels of its edge."""
    rng = np.random.default_rng(5)
    scene = np.kron(rng.random((24, 30)), np.ones((9, 9)))
    y, x = np.mgrid[-8:9, -8:9]
    psf = np.exp(-(x**2 + y**2) / 18)
    psf /= psf.sum()
    inside = (slice(30, -30), slice(30, -30))
    blurred = convolve2d(scene, psf, "same")[inside]
    blurred = (rng.poisson(blurred * 5000) / 5000).astype(np.float32)
    truth = scene[inside]
    write_image(folder / "cut.exr", blurred)
    write_psf(folder / "blur.txt", psf)
    words = ("--method", "rl", "--psf", "blur.txt", "--iterations", 30, "--accelerate", "none", "--output", "out", "--overwrite")
    succeed("deconvolve", "cut.exr", *words, cwd=folder)
    peer = by_skimage(folder, "restoration.richardson_lucy(image, psf, num_iter=30, clip=False)", blurred, psf)
    edge = np.ones(truth.shape, bool)
    edge[20:-20, 20:-20] = False

    def psnr(result):
        return -10 * np.log10(np.mean((result[edge] - truth[edge]) ** 2))

    assert psnr(read_image(folder / "out/cut.exr")[..., 0]) > psnr(peer) + 3


@pytest.mark.parametrize(
    "options, code, says",
    [
        (["--border", "mirror"], 2, ["--border", "--like skimage"]),
        (["--weight", "auto"], 2, ["--weight", "--like skimage"]),
        (["--psf", "even.txt"], 1, ["odd sizes", "4x6"]),
        (["--like", "matlab"], 2, ["--like", "matlab", "skimage"]),
    ],
)
def test_what_scikit_image_does_not_have_is_refused(folder, options, code, says):
    write_psf(folder / "even.txt", random_psf(4, 6))
    words = [] if "--psf" in options else ["--psf", "psf.txt"]
    like = [] if "--like" in options else ["--like", "skimage"]
    fail(code, "deconvolve", "other.exr", "--method", "rl", *like, *words, *options, "--output", "never", says=says, cwd=folder)
