# SPDX-License-Identifier: Apache-2.0
"""Folders of small images and PSFs of every awkward size, and checking all results of one run."""

from . import reference
from .images import as_values, picture, random_psf, read_image, write_image, write_psf
from .tool import succeed

# (width, height): one pixel, single rows and columns, a power of two, primes. Every pair of an image and a PSF makes
# programs of its own to build, which is what these tests spend their time with: no size without a reason.
IMAGE_SIZES = [(1, 1), (9, 1), (1, 13), (16, 16), (23, 17)]
# (width, height): odd, even, and one larger than any of the images.
PSF_SIZES = [(3, 3), (4, 2), (7, 5), (39, 35)]


class Work:
    """A folder with images and PSFs, and the runs of the tool on all of them."""

    def __init__(self, folder, image_sizes=IMAGE_SIZES, psf_sizes=PSF_SIZES, channels=1, images=()):
        """`images`: more of them, by their names."""
        self.folder = folder
        self.images = {f"i{width}x{height}": picture(width, height, channels) for width, height in image_sizes} | dict(images)
        for name, image in self.images.items():
            write_image(folder / f"images/{name}.tif", image)
        self.psfs = {}
        for width, height in psf_sizes:
            psf = random_psf(width, height)
            self.psfs[f"p{width}x{height}"] = psf
            write_psf(folder / f"psfs/p{width}x{height}.txt", psf)

    def run(self, *options):
        """Runs the tool with `options` on everything."""
        psfs = [word for name in self.psfs for word in ("--psf", self.folder / f"psfs/{name}.txt")]
        succeed("run", self.folder / "images", *psfs, "--output", self.folder / "output", "--overwrite", *options)

    def result(self, image_name, psf_name):
        """What the last run made of an image and a PSF."""
        stem = f"{image_name}_{psf_name}" if len(self.psfs) > 1 else image_name
        return read_image(self.folder / f"output/{stem}.tif")

    def check_results(self, *labels, tolerance=1e-6, **definition):
        """Each result of the last run must be what `definition` (of convolve()) says."""
        wrong = []
        for image_name, image in self.images.items():
            for psf_name, psf in self.psfs.items():
                expected = reference.convolve(as_values(image), psf / psf.sum(), **definition)
                try:
                    reference.assert_same_floats(self.result(image_name, psf_name), expected, f"{image_name}_{psf_name}", tolerance)
                except AssertionError as failure:
                    wrong.append(str(failure))
        assert not wrong, f"{' '.join(map(str, labels))}: {len(wrong)} wrong\n" + "\n".join(wrong)

    def check(self, *options, tolerance=1e-6, **definition):
        """Runs the tool with `options` on everything; each result must be what `definition` says."""
        self.run(*options)
        self.check_results(*options, tolerance=tolerance, **definition)
