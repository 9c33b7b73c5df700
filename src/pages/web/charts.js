// SPDX-License-Identifier: Apache-2.0
// Charts. Their labels are text beside the drawing, so that they keep their size on a narrow screen.

/** The next round number that is not below `value`, which is above zero. */
function niceCeiling(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find(step => step * power >= value * (1 - 1e-9)) * power;
}

/** A frame with labels: `top` and `bottom` beside it, `left` and `right` below it. */
function chartFrame(drawing, { label, top, bottom, left, right, caption }) {
  return el("figure", { class: "chart" },
            el("div", { class: "plot" }, el("span", { class: "top" }, top), el("span", { class: "bottom" }, bottom),
               el("div", { class: "drawing", role: "img", "aria-label": label }, drawing)),
            el("div", { class: "ends" }, el("span", {}, left), el("span", {}, right)),
            caption && el("figcaption", { class: "quiet" }, caption));
}

/** Bars side by side over time. `bins`: [{value, bad, title}]; `bad` is the part of `value` that is marked. */
function timeChart(bins, most, labels) {
  const part = value => `${100 * value / most}%`;
  const bars = bins.map(bin => {
    const bar = el("span", { class: "bar", title: bin.title });
    bar.style.height = part(bin.value);
    if (bin.bad > 0) {
      const bad = el("span", { class: "bad" });
      bad.style.height = `${100 * bin.bad / bin.value}%`;
      bar.append(bad);
    }
    return bar;
  });
  return chartFrame(el("div", { class: "bars" }, bars), labels);
}

/** A row for each entry: {name, value, words}, in groups {title, note, entries}. Bars start at zero. */
function barTable(headings, parts) {
  const most = Math.max(...parts.flatMap(part => part.entries.map(entry => entry.value)), 1e-12);
  const row = entry => {
    const bar = el("span", { class: "bar" });
    bar.style.width = `${100 * entry.value / most}%`;
    return el("tr", {}, el("th", { scope: "row" }, entry.name), el("td", { class: "wide" }, bar),
              entry.words.map(words => el("td", {}, words)));
  };
  return el("div", { class: "scroll" }, el("table", { class: "bar-table" },
    el("thead", {}, el("tr", {}, headings.map((heading, i) =>
      el("th", { scope: "col", class: i === 1 ? "wide" : null }, heading)))),
    parts.map(part => el("tbody", {},
      el("tr", { class: "part" }, el("th", { scope: "rowgroup", colspan: headings.length }, part.title,
                                     " ", el("span", { class: "quiet" }, part.note))),
      part.entries.map(row)))));
}

/** Curves over 1, 2, 3, ...: [{name, values}]. Values above zero have a logarithmic scale if they span much. */
function lineChart(series, labels) {
  const values = series.flatMap(each => each.values);
  const high = values.reduce((a, b) => Math.max(a, b)), low = values.reduce((a, b) => Math.min(a, b));
  const isLog = low > 0 && high / low > 20;
  const scale = value => isLog ? Math.log(value) : value;
  const span = scale(high) - scale(low) || 1;
  const longest = Math.max(...series.map(each => each.values.length));
  const svg = document.createElementNS(svgNamespace, "svg");
  svg.setAttribute("viewBox", "0 0 1000 300");
  svg.setAttribute("preserveAspectRatio", "none");
  for (const each of series) {
    const points = each.values.map((value, i) =>
      `${(1000 * i / Math.max(1, longest - 1)).toFixed(1)},${(300 - 296 * (scale(value) - scale(low)) / span - 2).toFixed(1)}`);
    const line = document.createElementNS(svgNamespace, "polyline");
    line.setAttribute("points", points.join(" "));
    const title = document.createElementNS(svgNamespace, "title");
    title.textContent = each.name;
    line.append(title);
    svg.append(line);
  }
  return chartFrame(svg, {
    top: rough(high), bottom: rough(low), left: "iteration 1", right: `iteration ${count(longest)}`,
    ...labels, label: `${labels.label}: from ${rough(low)} to ${rough(high)}${isLog ? ", logarithmic" : ""}` });
}

/** As a parsed drawing has it, because a script may not name an address. */
const svgNamespace = new DOMParser().parseFromString("<svg></svg>", "text/html").querySelector("svg").namespaceURI;
