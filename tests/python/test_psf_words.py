# SPDX-License-Identifier: Apache-2.0
"""PSFs in words against astropy, SciPy's integrals and formulas. tests/cli/test_psf_words.py has what `clconv psf` makes of them."""

import clconv
import numpy as np
import pytest
from astropy.convolution import AiryDisk2DKernel, Box2DKernel, Gaussian2DKernel, Moffat2DKernel, Tophat2DKernel
from scipy import integrate, special

GAUSS = 2.3548200450309493  # full width at half maximum over sigma


def weights(words, size=None, **options):
    return clconv.psf(f"{words},size={size}" if size else words, **options).samples


def grid(psf):
    height, width = psf.shape[:2]
    y, x = np.mgrid[:height, :width]
    return x - width // 2, y - height // 2


def centroid(psf):
    x, y = grid(psf)
    return np.array([(psf * x).sum(), (psf * y).sum()]) / psf.sum()


# --- against astropy ------------------------------------------------------------------------------------------------


def same_as_kernel(psf, kernel, tolerance):
    expected = kernel.array / kernel.array.sum()
    assert psf.shape == expected.shape
    assert np.abs(psf - expected).max() <= tolerance * expected.max()


@pytest.mark.parametrize("sigma", [0.4, 2.5])
def test_gaussian_is_astropys(sigma):
    psf = weights(f"gaussian:{sigma}", 5)
    same_as_kernel(psf, Gaussian2DKernel(sigma, x_size=5, mode="integrate"), 1e-7)


def test_a_turned_gaussian_is_astropys():
    psf = weights("gaussian:sx=2,sy=0.8,angle=30", 5)
    same_as_kernel(psf, Gaussian2DKernel(2, 0.8, np.radians(30), x_size=5, mode="integrate"), 1e-7)


def test_moffat_is_astropys():
    fwhm, beta = 3.0, 2.5
    gamma = fwhm / (2 * np.sqrt(2 ** (1 / beta) - 1))
    psf = weights(f"moffat:fwhm={fwhm},beta={beta}", 5)
    same_as_kernel(psf, Moffat2DKernel(gamma, beta, x_size=5, mode="integrate"), 1e-7)


def test_airy_is_astropys():
    psf = weights("airy:radius=3", 5)
    same_as_kernel(psf, AiryDisk2DKernel(3, x_size=5, mode="integrate"), 1e-7)


def test_box_and_disc_are_astropys_as_finely_as_it_samples_edges():
    same_as_kernel(weights("box:5"), Box2DKernel(5, mode="oversample", factor=10), 1e-12)
    kernel = Tophat2DKernel(4.3, x_size=11, y_size=11, mode="oversample", factor=50)
    same_as_kernel(weights("disc:4.3", 11), kernel, 4e-3)


# --- against integrals ----------------------------------------------------------------------------------------------


def gaussian(x, y, sx=3.0, sy=0.7, angle=20):
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return np.exp(-0.5 * (((x * c + y * s) / sx) ** 2 + ((y * c - x * s) / sy) ** 2))


def airy(x, y, scale=2.0, e=0.4):
    v = np.pi * np.hypot(x, y) / scale + 1e-9
    return (2 * special.j1(v) / v - e * e * 2 * special.j1(e * v) / (e * v)) ** 2


def glow(x, y, radius=9.0, core=0.4, n=2.5):
    r2 = x * x + y * y
    return (1 + r2 / core**2) ** (-n / 2) * max(1 - r2 / radius**2, 0) ** 2


def halo(x, y, radius=4.0, width=0.5):
    return np.exp(-0.5 * ((np.hypot(x, y) - radius) / (width / GAUSS)) ** 2)


def needle(x, y, length=8.0, width=0.8, n=1.0, angle=25):
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    u, v = x * c + y * s, y * c - x * s
    along = (1 + (u / width) ** 2) ** (-n / 2) * max(1 - (u / length) ** 2, 0) ** 2
    return along * np.exp(-0.5 * (v / (width / GAUSS)) ** 2)


def star(x, y):
    return sum(needle(x, y, 8, 8 / 16, 1.5, 10 + 180 * k / 5) for k in range(5))


SMOOTH = {
    "gaussian:sx=3,sy=0.7,angle=20": gaussian,
    "airy:fnumber=8,wavelength=0.5,pitch=2,obstruction=0.4": airy,
    "lorentzian:0.6": lambda x, y: (x * x + y * y + 0.36) ** -1.5,
    "moffat:0.5,beta=3": lambda x, y: (1 + (x * x + y * y) / (0.5 / 2) ** 2 * (2 ** (1 / 3) - 1)) ** -3,
    "glow:9,core=0.4,exponent=2.5": glow,
    "halo:4,width=0.5": halo,
    "streak:8,angle=25,width=0.8": needle,
    "star:8,blades=5,rotation=10,sharpness=16,exponent=1.5": star,
}


@pytest.mark.parametrize("spec", SMOOTH)
def test_every_pixel_is_an_integral(spec):
    """Ratios of pixels, so that no norm is needed; SciPy's adaptive quadrature on each, cut up where it is steep."""
    density = SMOOTH[spec]
    psf = weights(spec, 17)

    def integral(x, y):
        edges = np.linspace(-0.5, 0.5, 9 if max(abs(x), abs(y)) < 2 else 3)
        cells = [(x + a, x + b, y + c, y + d) for a, b in zip(edges, edges[1:]) for c, d in zip(edges, edges[1:])]
        return sum(
            integrate.dblquad(lambda v, u: density(u, v), *cell, epsabs=1e-13, epsrel=1e-9)[0] for cell in cells
        )

    pixels = [(0, 0), (1, 0), (1, 1), (-3, 2), (4, 0), (2, -5), (7, 7)]
    expected = np.array([integral(x, y) for x, y in pixels])
    found = np.array([psf[8 + y, 8 + x] for x, y in pixels])
    scale = found.sum() / expected.sum()
    assert np.abs(found - scale * expected).max() <= 1e-7 * found.max()


def clipped_area(chord, top, bottom, left, right):
    """The area within a pixel of a convex shape whose row y reaches from chord(y)[0] to chord(y)[1]."""

    def inside(y):
        a, b = chord(y)
        return max(min(b, right) - max(a, left), 0)

    rows = 400
    return np.mean([inside(top + (bottom - top) * (row + 0.5) / rows) for row in range(rows)]) * (bottom - top)


def polygon_chord(corners):
    def chord(y):
        crossings = [
            a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
            for a, b in zip(corners, np.roll(corners, -1, axis=0))
            if min(a[1], b[1]) <= y < max(a[1], b[1])
        ]
        return (min(crossings), max(crossings)) if crossings else (0, 0)

    return chord


def corners_of(radius, blades, rotation):
    angles = np.radians(rotation) + 2 * np.pi * np.arange(blades) / blades
    return radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def rectangle(width, height, angle):
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    points = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2]
    return points @ np.array([[c, s], [-s, c]])


def disc_chord(radius):
    return lambda y: (-np.sqrt(max(radius**2 - y * y, 0)), np.sqrt(max(radius**2 - y * y, 0)))


SHAPES = {
    "disc:0.3": (disc_chord(0.3), np.pi * 0.09),
    "disc:3.7": (disc_chord(3.7), np.pi * 3.7**2),
    "box:2.5": (polygon_chord(rectangle(2.5, 2.5, 0)), 6.25),
    "box:5,height=0.6,angle=33": (polygon_chord(rectangle(5, 0.6, 33)), 3.0),
    "motion:6.5,angle=30": (polygon_chord(rectangle(6.5, 1, 30)), 6.5),
    "polygon:4.2,blades=5,rotation=15": (polygon_chord(corners_of(4.2, 5, 15)), 2.5 * 4.2**2 * np.sin(np.radians(72))),
}


def areas(psf, chord):
    """What lies inside of each pixel of the PSF."""
    x, y = grid(psf)
    return np.vectorize(lambda i, j: clipped_area(chord, j - 0.5, j + 0.5, i - 0.5, i + 0.5))(x, y)


@pytest.mark.parametrize("spec", SHAPES)
def test_every_pixel_is_an_area(spec):
    chord, area = SHAPES[spec]
    psf = weights(spec)
    expected = areas(psf, chord) / area
    assert np.abs(psf - expected).max() <= 2e-4 * expected.max()  # rows of a reference do not end at corners
    assert abs(psf.sum() - 1) < 1e-9
    if "polygon" not in spec:  # a pentagon's pixels have no centre of symmetry
        assert np.abs(centroid(psf)).max() < 1e-9


def test_a_disc_with_an_obstruction_is_the_disc_without_its_middle():
    psf = weights("disc:6.3,obstruction=0.45")
    expected = areas(psf, disc_chord(6.3)) - areas(psf, disc_chord(6.3 * 0.45))
    expected /= np.pi * 6.3**2 * (1 - 0.45**2)
    assert np.abs(psf - expected).max() <= 2e-4 * expected.max()
    assert abs(psf.sum() - 1) < 1e-9 and psf.min() >= 0
    middle = psf.shape[0] // 2
    assert psf[middle, middle] == 0 < psf[middle, middle + 4]


def test_a_level_motion_is_its_pixels():
    np.testing.assert_allclose(weights("motion:5"), np.full((1, 5), 0.2), atol=1e-12)
    np.testing.assert_allclose(weights("motion:2,angle=90")[:, 0], [0.25, 0.5, 0.25], atol=1e-12)


def test_roundness_leads_from_the_polygon_to_the_circle():
    disc = weights("disc:7", 17)
    np.testing.assert_allclose(weights("polygon:7,blades=5,round=1", 17), disc, atol=1e-8)
    # Second moments: of a circle r^2 / 4, of a regular polygon r^2 / 12 (1 + 2 cos^2(pi / n)), for the large ones that
    # samples a pixel apart say nothing about.
    for spec, moment in (("disc:300", 300**2 / 4), ("polygon:300,blades=7", 300**2 / 12 * (1 + 2 * np.cos(np.pi / 7) ** 2))):
        psf = weights(spec)
        x, y = grid(psf)
        assert abs((psf * (x * x)).sum() / (moment + 1 / 12) - 1) < 1e-6
        assert abs((psf * (y * y)).sum() / (moment + 1 / 12) - 1) < 1e-6


@pytest.mark.parametrize("sigma", [1.2, 2.5, 9])
def test_a_gaussians_extent_holds_its_moments(sigma):
    """Pixels add the variance of a pixel, 1/12 (Sheppard's correction), and nothing else above a millionth."""
    psf = weights(f"gaussian:{sigma}")
    x, y = grid(psf)
    assert abs(psf.sum() - 1) < 1e-9 and np.abs(centroid(psf)).max() < 1e-9
    assert abs((psf * (x * x)).sum() / (sigma**2 + 1 / 12) - 1) < 1e-6
    assert abs((psf * (y * y)).sum() / (sigma**2 + 1 / 12) - 1) < 1e-6


# --- extents, sums --------------------------------------------------------------------------------------------------


def test_the_extent_is_the_smallest_odd_one_that_holds_the_share():
    whole = weights("lorentzian:0.5", 801)
    # Of what lies outside 801 x 801 the closed form knows: 1 - (4 / 2 pi) atan(a^2 / (g sqrt(2 a^2 + g^2))).
    a, g = 400.5, 0.5
    whole *= 2 / np.pi * np.arctan(a * a / (g * np.sqrt(2 * a * a + g * g)))
    size = weights("lorentzian:0.5").shape[0]

    def held(side):
        margin = (801 - side) // 2
        return whole[margin : 801 - margin, margin : 801 - margin].sum()

    assert size % 2 == 1 and held(size) >= 0.99 > held(size - 2)


def test_share_and_size_can_be_said_in_words():
    assert weights("gaussian:2,share=0.9").shape[0] < weights("gaussian:2").shape[0]
    assert weights("gaussian:2,size=9").shape == (9, 9)


def test_an_even_size_has_its_centre_where_the_origin_is():
    odd, even = weights("disc:2.5", 9), weights("disc:2.5", 8)
    np.testing.assert_allclose(even, odd[:8, :8], atol=1e-12)


def test_a_sum_shares_the_light_by_its_weights():
    psf = weights("gaussian:1*0.9+glow:20*0.1")
    glow_alone = weights("glow:20")
    size = glow_alone.shape[0]
    gaussian_alone = weights("gaussian:1", size)
    assert psf.shape == glow_alone.shape
    np.testing.assert_allclose(psf, 0.9 * gaussian_alone + 0.1 * glow_alone, atol=2e-9)
    edges = weights("gaussian:1 + gaussian:3*-1", normalize="none")
    assert abs(edges.sum()) < 1e-12 and edges.max() > 0 > edges.min()
    np.testing.assert_allclose(weights("gaussian:1e+0"), weights("gaussian:1"), rtol=0)


# --- diffraction -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("obstruction", [0, 0.35])
def test_diffraction_of_a_round_aperture_is_the_airy_pattern(obstruction):
    options = f"radius=4,obstruction={obstruction},size=65"
    found = weights(f"diffraction:{options},spectrum=mono")
    expected = weights(f"airy:{options}")
    assert np.abs(found - expected).max() < 1e-4 * expected.max()
