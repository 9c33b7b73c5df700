# SPDX-License-Identifier: Apache-2.0
"""Richardson-Lucy by its definition, in double: the convolution is a matrix, and its adjoint the matrix transposed."""

import numpy as np
from support.reference import center, source


def convolution_matrix(extent, weights, border="masked", origin=None):
    """A, and what it adds, of one channel: [pixel of the image, pixel of the estimate], [pixel of the image].

    extent: rows and columns of the image. With the border "masked" the estimate is everything that the PSF brings into
    the image. Also returns the estimate's extent, and the row and column of the image's first pixel in it.
    """
    height, width = extent
    rows, columns = weights.shape
    oy, ox = origin or (center(rows), center(columns))
    name, _, value = border.partition(":")
    is_masked = name == "masked"
    first = (rows - 1 - oy, columns - 1 - ox) if is_masked else (0, 0)
    whole = (height + rows - 1, width + columns - 1) if is_masked else (height, width)

    def place(y, x):
        if is_masked:
            return (y + first[0]) * whole[1] + x + first[1]
        row, column = source(name, y, height), source(name, x, width)
        return None if row is None or column is None else row * width + column

    matrix = np.zeros((height * width, whole[0] * whole[1]))
    added = np.zeros(height * width)
    for y in range(height):
        for x in range(width):
            for j in range(rows):
                for i in range(columns):
                    at = place(y - (j - oy), x - (i - ox))
                    if at is not None:
                        matrix[y * width + x, at] += weights[j, i]
                    elif name == "constant":
                        added[y * width + x] += weights[j, i] * float(value)
    if name == "renormalize":
        matrix /= matrix.sum(axis=1, keepdims=True)
    return matrix, added, whole, first


def total_variation(estimate, strength, smallest):
    """What divides the factor: 1 - strength div(grad x / |grad x|). estimate: [row, column]."""
    right, below = np.zeros_like(estimate), np.zeros_like(estimate)
    right[:, :-1], below[:-1] = np.diff(estimate, axis=1), np.diff(estimate, axis=0)
    length = np.sqrt(right**2 + below**2 + smallest**2)
    right, below = right / length, below / length
    divergence = right + below
    divergence[:, 1:] -= right[:, :-1]
    divergence[1:] -= below[:-1]
    return np.maximum(1 - strength * divergence, 0.1)


def divergences(data, model, weights):
    """The I-divergence of data from a model, a mean over the samples."""
    logs = np.log(np.where(data > 0, data / model, 1))
    return np.mean(weights * (data * logs - data + model))


def richardson_lucy(
    image, weights, iterations, border="masked", background=0.0, origin=None, accelerate="none", tv=0, known=None, start=None,
    residuals=None,
):  # fmt: skip
    """image: [row, column] of one channel. known: of its samples, the largest 1.

    residuals: a list that gets the I-divergence before each iteration. Returns the estimate where the image is.
    """
    matrix, added, whole, first = convolution_matrix(image.shape, weights, border, origin)
    known = np.ones(image.shape) if known is None else known
    is_plain = np.all(known == 1)
    data, known = np.maximum(np.nan_to_num(image.ravel()), 0), known.ravel()
    mean = (known * data).sum() / known.sum()
    reached = matrix.T @ known
    floor = max(1e-4, 0.01 * known[known > 0].min()) if border == "masked" or not is_plain else 1e-4
    counts = reached > floor * weights.sum()
    share = np.where(counts, 1 / np.where(counts, reached, 1), 0)

    # Everywhere the start; the samples themselves where nothing is reached.
    samples = np.pad(
        data.reshape(image.shape),
        [(first[k], whole[k] - image.shape[k] - first[k]) for k in range(2)],
        mode="edge",
    )
    inside = np.pad(np.ones(image.shape, bool), [(first[k], whole[k] - image.shape[k] - first[k]) for k in range(2)])
    flat = mean if start in (None, "image") else start
    takes_sample = inside.ravel() & ~counts | (start == "image")
    estimate = np.where(takes_sample, np.where(samples.ravel() > 0, samples.ravel(), 1e-3 * flat), flat)

    before, change = estimate, None
    for k in range(1, iterations + 1):
        model = np.maximum(matrix @ estimate + added + background, 1e-6 * mean)
        if residuals is not None:
            residuals.append(divergences(data, model, known))
        factor = matrix.T @ (known * data / model)
        if tv:
            factor = factor / total_variation(estimate.reshape(whole), tv, 1e-3 * mean).ravel()
        now = np.where(counts, estimate * np.maximum(factor, 0) * share, estimate)
        momentum = 0
        if accelerate == "momentum":
            momentum = min(k / (k + 3), 0.99)
        elif accelerate == "biggs-andrews":
            latest = now - estimate
            momentum = 0 if change is None else np.clip((latest @ change) / (change @ change), 0, 0.99)
            change = latest
        estimate = np.maximum(now + momentum * (now - before), now / 10) if k < iterations else now
        before = now
    return estimate.reshape(whole)[first[0] : first[0] + image.shape[0], first[1] : first[1] + image.shape[1]]
