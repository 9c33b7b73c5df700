// SPDX-License-Identifier: Apache-2.0
// The page of a comparison: what `clconv compare --json` prints.

const report = object(embedded("report"));
const gallery = object(embedded("gallery"));

/** JSON has no infinite numbers: they are words. */
const measure = value => value === "inf" ? Infinity : value === "-inf" ? -Infinity : typeof value === "number" ? value : NaN;
const shownMeasure = (value, words = number => String(Number(number.toPrecision(6)))) =>
  Number.isNaN(value) ? "" : value === Infinity ? "\u221e" : value === -Infinity ? "-\u221e" : words(value);

/** The worst of several parts; NaN if none has it. */
function worst(parts, field, isWorse) {
  return parts.map(part => measure(part[field])).filter(value => !Number.isNaN(value))
    .reduce((a, b) => Number.isNaN(a) || isWorse(b, a) ? b : a, NaN);
}
const larger = (a, b) => a > b, smaller = (a, b) => a < b;

const pairs = list(report.pairs).map((given, entry) => {
  const pair = object(given), parts = list(pair.parts).map(object), error = text(pair.error);
  return {
    entry, name: text(pair.name), a: text(pair.a), b: text(pair.b), error, parts,
    state: error ? "unreadable" : pair.within === true ? "within" : "outside",
    failures: [...list(pair.failures), ...parts.flatMap((part, i) => list(part.failures).map(failure =>
      parts.length > 1 ? `part ${i}: ${text(failure)}` : failure))].map(text),
    max: worst(parts, "max", larger), rms: worst(parts, "rms", larger), ulp: worst(parts, "ulp", larger),
    psnr: worst(parts, "psnr", smaller), ssim: worst(parts, "ssim", smaller),
    differing: parts.reduce((sum, part) => sum + number(part.differing), 0),
    samples: parts.reduce((sum, part) => sum + number(part.samples), 0),
  };
});
const only = [["only in the first folder", list(report.only_in_a).map(text)],
              ["only in the second folder", list(report.only_in_b).map(text)]];
const hasTolerances = report.tolerances === undefined || Object.keys(object(report.tolerances)).length > 0;
const signs = { within: ["\u2713", hasTolerances ? "within" : "compared", "done"],
                outside: ["\u2715", hasTolerances ? "outside" : "not comparable", "failed"],
                unreadable: ["!", "cannot be read", "failed"] };
const countOf = state => pairs.filter(pair => pair.state === state).length;

function failureSection() {
  const bad = pairs.filter(pair => pair.state !== "within");
  const lonely = only.filter(([, names]) => names.length > 0);
  if (bad.length === 0 && lonely.length === 0) return null;
  const found = groups(bad, pair => pair.error || pair.failures.join("; "), pair => [pair.a, pair.b, pair.name]);
  return section("failures", "Failures", `Failures (${count(bad.length)})`,
    groupArticles(found, "failure", pair => pair.name, ["pair", "pairs"]),
    lonely.map(([words, names]) => el("article", { class: "failure" },
      el("p", { class: "message" }, `${plural(names.length, "name is", "names are")} ${words}.`), nameList(names))));
}

function partFacts(part, i) {
  const largest = object(part.largest);
  return facts([
    ["Part", i === null ? "" : String(i)],
    ["Size, channels", text(part.width) && `${text(part.width)} \u00d7 ${text(part.height)}, ${list(part.channels).map(text).join(" ")}`],
    ["Largest difference", text(largest.x) && `${shownMeasure(measure(largest.value))} at ${largest.x}, ${text(largest.y)}, channel `
      + `${text(largest.channel_name)}: ${shownMeasure(measure(largest.a))} and ${shownMeasure(measure(largest.b))}`],
    ["Differing samples", text(part.samples) && `${count(number(part.differing))} of ${count(number(part.samples))}`],
    ["Mean", text(part.mean)], ["Data range", text(part.data_range)],
    ["Failures", list(part.failures).length > 0 && el("ul", {}, list(part.failures).map(failure => el("li", {}, text(failure))))]]);
}

const labels = ["First", "Second", "Difference"];
const picturesOf = new Map(list(gallery.pictures).map(each => [number(object(each).entry), object(each)]));

function detailsOf(pair) {
  const pictures = picturesOf.get(pair.entry);
  return [facts([["Error", pair.error], ["First", fileName(pair.a)], ["Second", fileName(pair.b)]]),
          pair.parts.map((part, i) => partFacts(part, pair.parts.length > 1 ? i : null)),
          pictures && pictureCard(pictures, labels, pair.name, null)];
}

function pairSection() {
  const numeric = (title, field, words) => ({
    title, hidden: pairs.every(pair => Number.isNaN(pair[field])),
    value: pair => Number.isNaN(pair[field]) ? -Infinity : pair[field], cell: pair => shownMeasure(pair[field], words) });
  return section("items", "Pairs", `Pairs (${count(pairs.length)})`, itemTable({
    id: "pairs", rows: pairs, noun: ["pair", "pairs"], details: detailsOf,
    words: pair => `${pair.name}\n${pair.a}\n${pair.b}\n${pair.error}\n${pair.failures.join("\n")}`,
    columns: [
      { title: "Name", text: true, value: pair => pair.name, cell: pair => fileName(pair.name) },
      { title: "State", text: true, value: pair => Object.keys(signs).indexOf(pair.state), cell: pair => {
        const [sign, words, kind] = signs[pair.state];
        return el("span", { class: `state ${kind}` }, el("span", { "aria-hidden": "true" }, sign), ` ${words}`);
      } },
      numeric("Largest", "max"), numeric("RMS", "rms", value => value.toPrecision(4)),
      numeric("PSNR, dB", "psnr", value => value.toFixed(2)), numeric("SSIM", "ssim", value => value.toFixed(4)),
      numeric("Representable values", "ulp"),
      { title: "Differing", value: pair => pair.samples ? pair.differing / pair.samples : 0,
        cell: pair => pair.samples ? `${(100 * pair.differing / pair.samples).toFixed(2)} %` : "" },
    ],
    filters: [{ label: "State", choices: [{ words: "all" }, ...Object.keys(signs).filter(countOf).map(state => ({
      words: `${signs[state][1]} (${count(countOf(state))})`, accepts: pair => pair.state === state }))] }] }));
}

const main = document.querySelector("main");
const made = [failureSection(), gallerySection(gallery, "Pictures", labels, pairs.filter(pair => !pair.error).length,
                                               entry => pairs[entry] ? pairs[entry].name : ""), pairSection()];
main.querySelector("noscript").remove();
main.append(...[totals([
  ["Pairs", count(pairs.length)], [sentence(signs.within[1]).slice(0, -1), count(countOf("within"))],
  countOf("outside") > 0 && [sentence(signs.outside[1]).slice(0, -1), count(countOf("outside")), "bad"],
  countOf("unreadable") > 0 && ["Cannot be read", count(countOf("unreadable")), "bad"],
  ...only.map(([words, names]) => names.length > 0 && [sentence(words).slice(0, -1), count(names.length), "bad"])]),
  contents(), ...made].filter(part => part));
