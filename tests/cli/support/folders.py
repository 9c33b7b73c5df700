"""Folders of small images and PSFs of every awkward size, and checking all results of one run."""

from . import images, reference
from .tool import succeed

# (width, height): one pixel, single rows and columns, a power of two, primes. Every pair of an image and a PSF makes
# programs of its own to build, which is what these tests spend their time with: no size without a reason.
IMAGE_SIZES = [(1, 1), (9, 1), (1, 13), (16, 16), (23, 17)]
# (width, height): odd, even, and one larger than any of the images.
PSF_SIZES = [(3, 3), (4, 2), (7, 5), (39, 35)]


class Work:
    """A folder with images and PSFs, and the runs of the tool on all of them."""

    def __init__(self, folder, image_sizes=IMAGE_SIZES, psf_sizes=PSF_SIZES, channels=1):
        self.folder = folder
        self.images = {}
        for width, height in image_sizes:
            image = images.picture(width, height, channels)
            self.images[f"i{width}x{height}"] = image
            images.write_image(folder / f"images/i{width}x{height}.tif", image)
        self.psfs = {}
        for width, height in psf_sizes:
            psf = images.random_psf(width, height)
            self.psfs[f"p{width}x{height}"] = psf
            images.write_psf(folder / f"psfs/p{width}x{height}.txt", psf)

    def check(self, *options, tolerance=1e-6, **definition):
        """Runs the tool with `options` on everything; each result must be what `definition` (of convolve()) says."""
        output = self.folder / "output"
        psfs = [word for name in self.psfs for word in ("--psf", self.folder / f"psfs/{name}.txt")]
        succeed("run", self.folder / "images", *psfs, "--output", output, "--overwrite", *options)
        wrong = []
        for image_name, image in self.images.items():
            for psf_name, psf in self.psfs.items():
                stem = f"{image_name}_{psf_name}" if len(self.psfs) > 1 else image_name
                expected = reference.convolve(images.as_values(image), psf / psf.sum(), **definition)
                try:
                    reference.assert_same_floats(images.read_image(output / f"{stem}.tif"), expected, stem, tolerance)
                except AssertionError as failure:
                    wrong.append(str(failure))
        assert not wrong, f"{' '.join(map(str, options))}: {len(wrong)} wrong\n" + "\n".join(wrong)
