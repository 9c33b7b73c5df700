// SPDX-License-Identifier: Apache-2.0
// Pictures of an image in two or three versions, with a loupe that shows the same place of all.

/** The panes of one image, side by side. */
function panes(pictures, labels, name) {
  const state = { x: 0.5, y: 0.5, zoom: 3, shown: false };
  const parts = pictures.map((picture, i) => {
    const source = text(picture.uri).startsWith("data:image/") ? picture.uri : "";
    const attributes = { src: source, width: number(picture.width), height: number(picture.height) };
    const image = el("img", { ...attributes, alt: `${labels[i]}: ${name}`, decoding: "async", loading: "lazy" });
    const enlarged = el("img", { ...attributes, alt: "" });
    const lens = el("div", { class: "loupe", hidden: true, "aria-hidden": "true" }, enlarged);
    return { image, enlarged, lens, figure: el("figure", {}, el("div", { class: "pane" }, image, lens),
                                              el("figcaption", {}, labels[i])) };
  });
  const draw = () => {
    for (const { image, enlarged, lens } of parts) {
      lens.hidden = !state.shown;
      if (!state.shown) continue;
      const width = image.clientWidth, height = image.clientHeight, half = lens.offsetWidth / 2;
      lens.style.left = `${state.x * width - half}px`;
      lens.style.top = `${state.y * height - half}px`;
      enlarged.style.width = `${width * state.zoom}px`;
      enlarged.style.height = `${height * state.zoom}px`;
      enlarged.style.left = `${half - state.x * width * state.zoom}px`;
      enlarged.style.top = `${half - state.y * height * state.zoom}px`;
    }
  };
  const change = values => {
    Object.assign(state, { shown: true }, values);
    const inside = value => Math.min(1, Math.max(0, value));
    Object.assign(state, { x: inside(state.x), y: inside(state.y), zoom: Math.min(12, Math.max(1.5, state.zoom)) });
    draw();
  };
  for (const { image } of parts)
    image.addEventListener("pointermove", event => {
      const box = image.getBoundingClientRect();
      change({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height });
    });
  const step = 0.04;
  const keys = {
    ArrowLeft: () => change({ x: state.x - step }), ArrowRight: () => change({ x: state.x + step }),
    ArrowUp: () => change({ y: state.y - step }), ArrowDown: () => change({ y: state.y + step }),
    "+": () => change({ zoom: state.zoom * 1.25 }), "=": () => change({ zoom: state.zoom * 1.25 }),
    "-": () => change({ zoom: state.zoom / 1.25 }), Escape: () => change({ shown: false }),
  };
  return el("div", {
    class: "panes", tabindex: 0, role: "group",
    "aria-label": `Loupe on ${name}. Arrows move it, plus and minus change its power, Escape puts it away.`,
    focus: () => change({}), blur: () => change({ shown: false }), pointerleave: () => change({ shown: false }),
    keydown: event => {
      const action = keys[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action();
    },
  }, parts.map(part => part.figure));
}

/** All pictures of one entry of the report. */
function pictureCard(pictures, labels, name, heading) {
  const whole = list(pictures.whole).map(object), details = list(pictures.details).map(object);
  const place = el("div", {}, panes(whole, labels, name));
  const views = details.length === 0 ? [] : [
    ["Whole image", whole], [`Detail at ${count(number(pictures.x))}, ${count(number(pictures.y))}`, details]];
  const buttons = views.map(([words, shown], i) => el("button", {
    type: "button", "aria-pressed": i === 0 ? "true" : "false",
    click: event => {
      for (const button of buttons) button.setAttribute("aria-pressed", button === event.target ? "true" : "false");
      place.replaceChildren(panes(shown, labels, name));
    } }, words));
  const from = number(pictures.from), to = number(pictures.to);
  return el("article", { class: "card" }, heading, place,
            el("p", { class: "card-line quiet" }, buttons,
               (from !== 0 || to !== 1) && el("span", {}, `black is ${rough(from)}, white is ${rough(to)}`)));
}

/** The section of all pictures. `nameOf`: of an entry by its number; `total`: entries that could have pictures. */
function gallerySection(gallery, title, labels, total, nameOf) {
  const pictures = list(gallery.pictures).map(object);
  const missing = number(gallery.missing);
  if (pictures.length === 0 && missing === 0) return null;
  const note = pictures.length < total ? `${count(pictures.length)} of ${count(total)} images, spread over the list. ` : "";
  const gone = missing > 0
    ? `${plural(missing, "image has", "images have")} none: the files are no longer there, or cannot be shown. ` : "";
  const how = pictures.length > 0 ? "Point at a picture, or focus it and use the arrow keys, for a loupe over the same "
    + "place of each. Details are at full resolution, where neighbouring pixels differ most." : "";
  const cards = pictures.map(each => {
    const name = nameOf(number(each.entry));
    return pictureCard(each, labels, name, el("h3", {}, fileName(name)));
  });
  return section("pictures", title, title, el("p", { class: "quiet" }, note + gone + how),
                 el("div", { class: "cards" }, cards));
}
