# SPDX-License-Identifier: Apache-2.0
"""GIF, WebP, JPEG and ICO: written and shown by Pillow, their containers read by hand where Pillow says nothing."""

import struct

import numpy as np
from PIL import Image

from support.icc import gamma_curve
from support.icc import profile as icc
from support.matrix.case import HEIGHT, WIDTH, Case, Part, Shown, columns, noise, smooth, with_alpha


def pixels(image):
    """RGBA where anything is clear, else RGB, or gray."""
    if image.mode == "1":
        image = image.convert("L")
    if image.mode in ("P", "PA"):
        image = image.convert("RGBA" if "transparency" in image.info or image.mode == "PA" else "RGB")
    if image.mode == "RGBX":
        image = image.convert("RGB")
    codes = np.asarray(image)
    return codes[..., None] if codes.ndim == 2 else codes


# ---- GIF


def show_gif(path):
    parts = []
    with Image.open(path) as animation:
        loop = animation.info.get("loop")
        for number in range(animation.n_frames):
            animation.seek(number)
            codes = np.asarray(animation.convert("RGBA"))
            shown = codes * (codes[..., 3:] > 0)  # where a GIF is clear it has no colour
            parts.append(Part(shown, 255, {"duration": animation.info.get("duration") or 0, "size": animation.size, "lossy": False}))
        facts = {"loop": loop, "comment": animation.info.get("comment"), "background": None}
    return Shown(parts, facts)


def palette_image(seed, colours=16, size=(WIDTH, HEIGHT)):
    rng = np.random.default_rng(seed)
    image = Image.fromarray(rng.integers(0, colours, size[::-1], dtype=np.uint8), "P")
    image.putpalette(rng.integers(0, 256, 3 * colours, dtype=np.uint8).tobytes())
    return image


def gif_cases():
    def still(colours, **settings):
        return lambda path: palette_image(colours, colours).save(path, **settings)

    for colours in (2, 16, 256):
        yield Case(f"gif-{colours}-colours.gif", "gif", still(colours))
        yield Case(f"gif-{colours}-colours-clear.gif", "gif", still(colours, transparency=1))
    yield Case("gif-interlaced.gif", "gif", still(16, interlace=True))
    yield Case("gif-comment.gif", "gif", still(16, comment=b"a lamp"))

    def animation(**settings):
        def make(path):
            frames = [palette_image(seed) for seed in (1, 2, 3)]
            frames[0].save(path, save_all=True, append_images=frames[1:], **settings)

        return make

    yield Case("gif-animation.gif", "gif", animation(duration=[100, 200, 300], loop=0))
    yield Case("gif-animation-once.gif", "gif", animation(duration=40))
    yield Case("gif-animation-seven-times.gif", "gif", animation(duration=[30, 10, 500], loop=7))

    def moving(path):
        frames = []
        for number in range(4):
            codes = np.zeros((HEIGHT, WIDTH), np.uint8)
            codes[4:9, 3 + 5 * number : 8 + 5 * number] = 1 + number
            image = Image.fromarray(codes, "P")
            image.putpalette(bytes([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]))
            frames.append(image)
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=100, loop=0, transparency=0, disposal=2)

    yield Case("gif-animation-clear.gif", "gif", moving)


# ---- WebP


def webp_chunks(path):
    data, at, found = path.read_bytes(), 12, []
    while at + 8 <= len(data):
        name, size = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        found.append((name, data[at + 8 : at + 8 + size]))
        at += 8 + size + size % 2
    return found


def show_webp(path):
    chunks = webp_chunks(path)
    names = {name for name, _ in chunks}
    inner = {contents[16:20] for name, contents in chunks if name == b"ANMF"} | names
    inner |= {b"VP8 " for name, contents in chunks if name == b"ANMF" and b"VP8 " in contents[16:40] + contents[16:2000]}
    lossy = b"VP8 " in inner
    parts = []
    with Image.open(path) as animation:
        for number in range(animation.n_frames):
            animation.seek(number)
            codes = pixels(animation)
            animation.load()
            alpha = "straight" if codes.shape[2] == 4 else ""
            facts = {"duration": animation.info.get("duration") or 0, "lossy": lossy, "channels": codes.shape[2], "alpha": alpha}
            parts.append(Part(codes, 255, facts))
        profile = animation.info.get("icc_profile")
        facts = {"loop": animation.info.get("loop"), "profile": profile, "background": animation.info.get("background")}
    return Shown(parts, facts)


def webp_cases():
    def image(codes, **settings):
        return lambda path: Image.fromarray(codes).save(path, **settings)

    for word, codes in (("noise", noise(3, 8)), ("columns", columns()), ("alpha", with_alpha(noise(4, 8), 8)), ("alpha-columns", columns(4))):
        yield Case(f"webp-lossless-{word}.webp", "webp", image(codes, lossless=True, exact=True), codes)
    for quality in (50, 80, 100):
        yield Case(f"webp-quality-{quality}-smooth.webp", "webp", image(smooth(3), quality=quality))
        yield Case(f"webp-quality-{quality}-columns.webp", "webp", image(columns(), quality=quality))
    yield Case("webp-quality-80-alpha.webp", "webp", image(np.dstack([smooth(3), columns(4)[..., 3]]), quality=80))
    yield Case("webp-lossless-profile.webp", "webp", image(noise(3, 8), lossless=True, icc_profile=icc([gamma_curve(1.8)] * 3)), noise(3, 8))

    def animation(lossless, **settings):
        def make(path):
            frames = [Image.fromarray(noise(3, 8, seed) if lossless else np.roll(smooth(3), seed, 1)) for seed in (1, 2, 3)]
            frames[0].save(path, save_all=True, append_images=frames[1:], lossless=lossless, duration=[100, 200, 300], **settings)

        return make

    yield Case("webp-animation-lossless.webp", "webp", animation(True, loop=0))
    yield Case("webp-animation-lossless-three-times.webp", "webp", animation(True, loop=3))
    yield Case("webp-animation-lossy.webp", "webp", animation(False, loop=0))


# ---- JPEG


def show_jpeg(path):
    data = path.read_bytes()
    with Image.open(path) as image:
        tables = {number: tuple(table) for number, table in image.quantization.items()}
        layers = [layer[1:3] for layer in image.layer]
        codes = pixels(image)
        facts = {"photometric": image.mode, "lossy": True, "quality": tables, "subsampling": layers, "progressive": bool(image.info.get("progressive")),
                 "resolution": image.info.get("dpi"), "profile": image.info.get("icc_profile"), "comment": image.info.get("comment"),
                 "channels": codes.shape[2], "orientation": image.getexif().get(274, 1), "type": "u8"}  # fmt: skip
    del data
    return Shown([Part(codes, 255, facts)])


def jpeg_cases():
    def image(codes, **settings):
        return lambda path: Image.fromarray(codes.squeeze()).save(path, **settings)

    for word, codes in (("gray", smooth(1)), ("rgb", smooth(3)), ("columns", columns())):
        for quality in (30, 75, 95, 100):
            yield Case(f"jpeg-{word}-{quality}.jpg", "jpeg", image(codes, quality=quality))
        yield Case(f"jpeg-{word}-progressive.jpg", "jpeg", image(codes, quality=90, progressive=True))
    for word in ("4:4:4", "4:2:2", "4:2:0"):
        yield Case(f"jpeg-{word.replace(':', '')}.jpg", "jpeg", image(columns(), quality=95, subsampling=word))
    for orientation in range(2, 9):
        exif = Image.Exif()
        exif[274] = orientation
        yield Case(f"jpeg-orientation-{orientation}.jpg", "jpeg", image(smooth(3), quality=90, exif=exif))
    yield Case("jpeg-dpi.jpg", "jpeg", image(smooth(3), quality=90, dpi=(300, 150)))
    yield Case("jpeg-profile.jpg", "jpeg", image(smooth(3), quality=90, icc_profile=icc([gamma_curve(1.8)] * 3)))
    yield Case("jpeg-rgb-colours.jpg", "jpeg", image(smooth(3), quality=90, keep_rgb=True))
    yield Case("jpeg-inks.jpg", "jpeg", lambda path: Image.fromarray(smooth(4), "CMYK").save(path, quality=90), None, "inks")
    tables = [[1 + n % 7 for n in range(64)], [2 + n % 5 for n in range(64)]]
    yield Case("jpeg-own-tables.jpg", "jpeg", image(smooth(3), qtables=tables))


# ---- ICO


def show_ico(path):
    data = path.read_bytes()
    count = struct.unpack_from("<H", data, 4)[0]
    parts = []
    with Image.open(path) as image:
        for number in range(count):
            bits = struct.unpack_from("<H", data, 6 + 16 * number + 6)[0]
            bits = 32 if bits == 24 else bits  # and a mask, which is alpha
            frame = image.ico.frame(number)
            codes = np.asarray(frame.convert("RGBA"))
            parts.append(Part(codes, 255, {"size": frame.size, "lossy": False, "bits": bits, "alpha": "straight"}))
    return Shown(parts)


def ico_bitmap(codes, bits, palette=b""):
    """A bitmap of an icon: rows from the bottom, then the mask of what is clear."""
    height, width = codes.shape[:2]
    if bits < 8:
        split = (codes[..., 0][..., None] >> np.arange(bits - 1, -1, -1) & 1).reshape(height, -1).astype(np.uint8)
        rows = [np.packbits(line).tobytes() for line in split]
    else:
        rows = [line.tobytes() for line in codes]
    data = b"".join((row + b"\0" * (-len(row) % 4)) for row in rows[::-1])
    mask = np.zeros((height, width), np.uint8)
    mask[:3, :5] = 1
    masks = b"".join((np.packbits(line).tobytes()).ljust(4, b"\0") for line in mask[::-1])
    return struct.pack("<IiiHHIIiiII", 40, width, 2 * height, 1, bits, 0, len(data) + len(masks), 0, 0, 0, 0) + palette + data + masks


def write_ico(path, bitmaps, sizes, bits):
    head, at = struct.pack("<HHH", 0, 1, len(bitmaps)), 6 + 16 * len(bitmaps)
    for bitmap, (width, height), depth in zip(bitmaps, sizes, bits):
        head += struct.pack("<BBBBHHII", width, height, 2**depth if depth < 8 else 0, 0, 1, depth, len(bitmap), at)
        at += len(bitmap)
    path.write_bytes(head + b"".join(bitmaps))


def ico_cases():
    size = (32, 16)
    for bits in (1, 4, 8):
        table = np.random.default_rng(bits).integers(0, 256, (2**bits, 4), dtype=np.uint8)
        table[:, 3] = 0
        bitmap = ico_bitmap(noise(1, bits, width=32, height=16), bits, table.tobytes())
        yield Case(f"ico-palette-u{bits}.ico", "ico", lambda path, b=bitmap, n=bits: write_ico(path, [b], [size], [n]))
    three, four = noise(3, 8, width=32, height=16), with_alpha(noise(4, 8, width=32, height=16), 8)
    yield Case("ico-rgb-u8.ico", "ico", lambda path: write_ico(path, [ico_bitmap(three, 24)], [size], [24]))
    yield Case("ico-rgba-u8.ico", "ico", lambda path: write_ico(path, [ico_bitmap(four, 32)], [size], [32]))
    yield Case("ico-png.ico", "ico", lambda path: Image.fromarray(with_alpha(noise(4, 8, width=32, height=32), 8)).save(path, sizes=[(32, 32)]))
