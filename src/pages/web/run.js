// SPDX-License-Identifier: Apache-2.0
// The page of a run: what `clconv run --report` or merge-reports wrote.

const report = object(embedded("report"));
const gallery = object(embedded("gallery"));
const counts = object(report.counts);
const shards = list(report.shards).map(object);
const options = object(report.options);

const warningKinds = {
  type: "the type of samples", bits: "bits a sample", range: "the largest code",
  photometric: "what samples mean", channels: "channels that are left out or change their type",
  alpha: "alpha that is lost, or multiplied in", compression: "a codec that loses, or loses more",
  order: "the order of rows and columns", window: "results that end where the data window does",
  parts: "pages, frames and levels that are left out", tags: "metadata that are left out",
  colour: "transfer function, primaries or profile", damage: "samples that could not be read",
  clamped: "results that the output's type does not hold", accuracy: "noise, or a lower resolution",
  copied: "files without a convolved channel", other: "what has no kind of its own",
};

const states = {
  done: ["\u2713", "done"], failed: ["\u2715", "failed"], skipped: ["\u21b7", "skipped"],
  not_started: ["\u2013", "not started"],
};

/** The items of the report, whose fields have the types that are used here. */
const items = list(report.items).map((given, entry) => {
  const item = object(given);
  const details = list(item.warning_details).map(object);
  const plain = list(item.warnings).map(message => ({ kind: "other", message }));
  return {
    entry, index: typeof item.index === "number" ? item.index : entry,
    input: text(item.input), output: text(item.output), psf: text(item.psf),
    status: Object.hasOwn(states, text(item.status)) ? item.status : "not_started",
    error: text(item.error),
    warnings: (details.length > 0 ? details : plain).map(warning => ({
      kind: Object.hasOwn(warningKinds, text(warning.kind)) ? warning.kind : "other", message: text(warning.message) })),
    width: number(item.width), height: number(item.height), channels: number(item.channels),
    type: text(item.type), outputType: text(item.output_type), pixels: number(item.pixels),
    part: typeof item.part === "number" ? item.part : null, parts: number(item.parts),
    seconds: Object.values(object(item.stages)).reduce((sum, value) => sum + number(value), 0),
    stages: Object.entries(object(item.stages)).map(([name, value]) => [name, number(value)]),
    finished: typeof item.finished_seconds === "number" ? item.finished_seconds : null,
    residuals: list(item.residuals).map(number),
    plan: typeof item.plan === "number" ? text(list(report.plans)[item.plan]) : text(item.plan),
    planOrigin: text(item.plan_origin), planCheck: text(item.plan_check), copyOf: text(item.copy_of),
    device: text(item.device), copied: list(item.copied_channels).map(text),
    transfer: text(item.transfer), outputTransfer: text(item.output_transfer),
  };
});
const wall = number(report.wall_seconds);
const failed = items.filter(item => item.status === "failed");
const warned = items.filter(item => item.warnings.length > 0);
const warningCount = items.reduce((sum, item) => sum + item.warnings.length, 0);
const psfs = new Set(items.map(item => item.psf));
const images = ["image", "images"];
const nameOf = item => item.input + (item.part === null ? "" : ` part ${item.part}`) + (psfs.size > 1 ? ` * ${item.psf}` : "");

/** The words of a command for a shell. */
const shellWords = words => words.map(word => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
  .join(" ");

/** The command that makes only what is missing; nothing if it is not known. */
function commandForTheRest() {
  const command = list(report.command).map(text);
  if (command.length === 0) return "";
  if (command.includes("--resume")) return shellWords(command);
  return shellWords([...command.filter(word => word !== "--overwrite" && word !== "--skip-existing"), "--skip-existing"]);
}

function failureSection() {
  const fatal = [["", report], ...shards.map(shard => [`Shard ${number(shard.index)}: `, shard])]
    .filter(([, run]) => text(run.error) !== "");
  if (failed.length === 0 && fatal.length === 0) return null;
  const again = commandForTheRest();
  return section("failures", "Failures", `Failures (${count(failed.length + fatal.length)})`,
    fatal.map(([where, run]) => {
      const [what, todo] = parted(text(run.error));
      return el("article", { class: "failure" }, el("p", { class: "message" }, el("b", {}, `${where}The run ended early: `),
                sentence(what)), todo && el("p", { class: "todo" }, el("b", {}, "What to do: "), sentence(todo)));
    }),
    groupArticles(groups(failed, item => item.error, item => [item.input, item.output]), "failure", nameOf, images),
    again && el("div", { class: "again" },
                el("p", {}, "When the causes are gone, this makes the images that are missing:"), el("pre", {}, again)));
}

function warningSection() {
  if (warningCount === 0) return null;
  const kinds = new Map();
  for (const item of warned)
    for (const warning of item.warnings) {
      if (!kinds.has(warning.kind)) kinds.set(warning.kind, []);
      kinds.get(warning.kind).push({ item, message: warning.message });
    }
  const sorted = [...kinds].sort(([, a], [, b]) => b.length - a.length);
  return section("warnings", "Warnings", `Warnings (${count(warningCount)})`,
    el("p", { class: "quiet" }, `${plural(warningCount, "warning", "warnings")} of ${plural(warned.length, ...images)}, `
       + "by what they are about."),
    sorted.map(([kind, entries]) => el("details", { class: "kind printed" },
      el("summary", {}, el("span", { class: "number" }, count(entries.length)), el("b", {}, kind), " ",
         el("span", { class: "quiet" }, warningKinds[kind])),
      groupArticles(groups(entries, entry => entry.message, ({ item }) => [item.input, item.output]), "warning",
                    ({ item }) => nameOf(item), images))));
}

/** The stages of each kind of thread, as the summary of a run has them. */
function stageParts() {
  const jobs = number(Number(options["--jobs"])) || 1;
  const workers = list(report.devices).length || 1;
  const opening = number(report.opening_seconds);
  const threads = { read: [], device: opening > 0 ? [["opening", workers * opening]] : [], write: [] };
  for (const [stage, value] of Object.entries(object(report.stages)))
    threads[stage === "read" || stage === "write" ? stage : "device"].push([stage, number(value)]);
  const parts = [["read", jobs, "reader", "readers"], ["device", workers, "device", "devices"], ["write", jobs, "writer", "writers"]];
  return parts.map(([kind, threadCount, one, several]) => {
    const whole = threadCount * wall;
    const busy = threads[kind].reduce((sum, [, value]) => sum + value, 0);
    const share = value => shards.length > 0 || whole <= 0 ? "" : `${(100 * value / whole).toFixed(1)} %`;
    const isOne = shards.length > 0;
    return {
      title: isOne ? sentence(several).slice(0, -1) : plural(threadCount, one, several),
      note: `busy for ${duration(busy)}${share(busy) && `, ${share(Math.min(busy, whole))} of the time`}`,
      entries: threads[kind].sort((a, b) => b[1] - a[1]).map(([name, value]) => ({
        name: name === "build" ? "compiling" : name, value, words: [value.toFixed(3), share(value)] })),
    };
  }).filter(part => part.entries.length > 0);
}

function timeSection() {
  const parts = stageParts();
  if (parts.length === 0) return null;
  return section("time", "Time by stage", "Time by stage",
    el("p", { class: "quiet" }, shards.length > 0
      ? "Summed over all shards and threads, so more than the time that passed."
      : "Readers, devices and writers work at the same time, so their stages add up to more than the time that passed. "
        + "Per cent are of all threads of a kind."),
    barTable(["Stage", "", "Seconds", shards.length > 0 ? "" : "%"], parts));
}

function throughputSection() {
  const ended = items.filter(item => item.finished !== null && (item.status === "done" || item.status === "failed"));
  const end = Math.max(wall, ...ended.slice(0, 1).map(item => item.finished), ended.reduce((a, b) => Math.max(a, b.finished), 0));
  if (ended.length < 2 || end <= 0) return null;
  const bins = Array.from({ length: Math.min(60, Math.max(12, Math.round(Math.sqrt(ended.length) * 4))) },
                          () => ({ done: 0, failed: 0 }));
  const step = end / bins.length;
  for (const item of ended) ++bins[Math.min(bins.length - 1, Math.floor(item.finished / step))][item.status];
  const rates = bins.map(bin => (bin.done + bin.failed) / step);
  const most = niceCeiling(Math.max(...rates));
  const average = number(counts.done) / end;
  const at = i => `${seconds(i * step)} s to ${seconds((i + 1) * step)} s`;
  return section("throughput", "Images a second", "Images a second",
    el("p", { class: "quiet" }, `${rough(average)} done a second on the whole; the highest of ${count(bins.length)} equal parts `
       + `of the run: ${rough(Math.max(...rates))}.`
       + (shards.length > 0 ? " Shards are shown as if they had started together." : "")),
    timeChart(bins.map((bin, i) => ({
      value: rates[i], bad: bin.failed / step,
      title: `${at(i)}: ${plural(bin.done, ...images)} done${bin.failed ? `, ${count(bin.failed)} failed` : ""}` })), most,
      { label: `Images a second from the start to ${duration(end)}: ${rough(average)} on average, `
          + `${rough(Math.max(...rates))} at most`,
        top: rough(most), bottom: "0", left: "0 s", right: duration(end),
        caption: failed.length > 0 ? "The marked part of a bar is images that failed." : "" }));
}

function residualSection() {
  const curves = items.filter(item => item.residuals.length > 1);
  if (curves.length === 0) return null;
  const shown = curves.slice(0, 100);
  const longest = curves.reduce((a, b) => Math.max(a, b.residuals.length), 0);
  return section("residuals", "Residuals of the iterations", "Residuals",
    el("p", { class: "quiet" }, (shown.length < curves.length
      ? `The first ${count(shown.length)} of ${count(curves.length)} images. `
      : `${plural(curves.length, ...images)}, at most ${plural(longest, "iteration", "iterations")}. `)
      + "How far the image is from what the estimate, convolved, would give. Each item below has its own curve."),
    lineChart(shown.map(item => ({ name: nameOf(item), values: item.residuals })),
              { label: `Residuals of ${plural(shown.length, ...images)}` }));
}

const picturesOf = new Map(list(gallery.pictures).map(each => [number(object(each).entry), object(each)]));

function detailsOf(item) {
  const size = item.width > 0 ? `${item.width} \u00d7 ${item.height}, ${plural(item.channels, "channel", "channels")}` : "";
  const stages = item.stages.length > 0 && el("table", { class: "small" }, el("tbody", {}, item.stages.map(([name, value]) =>
    el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, `${value.toFixed(4)} s`)))));
  const pictures = picturesOf.get(item.entry);
  return [
    facts([
      ["Error", item.error && el("span", { class: "message" }, item.error)],
      ["Warnings", item.warnings.length > 0 && el("ul", {}, item.warnings.map(warning => el("li", {}, warning.message)))],
      ["Output", fileName(item.output)],
      ["PSF", item.psf && fileName(item.psf)],
      ["Size", size],
      ["Parts", item.parts > 1 ? count(item.parts) : ""],
      ["Samples", item.type && item.type + (item.outputType && item.outputType !== item.type ? ` \u2192 ${item.outputType}` : "")],
      ["Transfer function", item.transfer && item.transfer + (item.outputTransfer ? ` \u2192 ${item.outputTransfer}` : "")],
      ["Copied channels", item.copied.join(", ")],
      ["Copy of", item.copyOf && fileName(item.copyOf)],
      ["Device", item.device],
      ["Plan", item.plan && el("details", {}, el("summary", {}, `by ${item.planOrigin || "the planner"}`
        + (item.planCheck ? `, check ${item.planCheck}` : "")), el("pre", {}, item.plan))],
      ["Times", stages],
      ["Residuals", item.residuals.length > 1 && lineChart([{ name: item.input, values: item.residuals }],
                                                           { label: `Residuals of ${item.input}` })],
    ]),
    pictures && pictureCard(pictures, ["Before", "After"], item.input, null)];
}

function stateOf(item) {
  const [sign, words] = states[item.status];
  return el("span", { class: `state ${item.status}` }, el("span", { "aria-hidden": "true" }, sign), ` ${words}`);
}

function itemSection() {
  if (items.length === 0) return null;
  const statuses = Object.keys(states).map(status => [status, items.filter(item => item.status === status).length])
    .filter(([, number]) => number > 0);
  const kinds = [...new Set(warned.flatMap(item => item.warnings.map(warning => warning.kind)))].sort();
  return section("items", "Items", `Items (${count(items.length)})`, itemTable({
    id: "items", rows: items, noun: ["item", "items"], details: detailsOf,
    words: item => `${item.input}\n${item.output}\n${item.psf}\n${item.error}\n${item.warnings.map(w => w.message).join("\n")}`,
    columns: [
      { title: "Input and output", text: true, value: item => item.input, cell: item => [
        fileName(item.input + (item.part === null ? "" : ` part ${item.part}`)), el("span", { class: "quiet" }, fileName(item.output))] },
      { title: "State", text: true, value: item => Object.keys(states).indexOf(item.status), cell: stateOf },
      { title: "PSF", text: true, hidden: psfs.size < 2, value: item => item.psf, cell: item => fileName(item.psf) },
      { title: "Size", value: item => item.width * item.height, cell: item => item.width > 0
        ? `${item.width} \u00d7 ${item.height}` : "" },
      { title: "Samples", text: true, value: item => item.type, cell: item => item.type
        + (item.outputType && item.outputType !== item.type ? ` \u2192 ${item.outputType}` : "") },
      { title: "Warnings", value: item => item.warnings.length, cell: item => item.warnings.length ? count(item.warnings.length) : "" },
      { title: "Work, s", value: item => item.seconds, cell: item => item.seconds > 0 ? item.seconds.toFixed(3) : "" },
      { title: "Ended at, s", hidden: !items.some(item => item.finished !== null),
        value: item => item.finished ?? Infinity, cell: item => item.finished === null ? "" : item.finished.toFixed(2) },
    ],
    filters: [
      { label: "State", choices: [{ words: "all" }, ...statuses.map(([status, number]) => ({
        words: `${states[status][1]} (${count(number)})`, accepts: item => item.status === status }))] },
      { label: "Warnings", choices: [{ words: "any or none" },
        { words: `with warnings (${count(warned.length)})`, accepts: item => item.warnings.length > 0 },
        ...kinds.map(kind => ({ words: kind, accepts: item => item.warnings.some(warning => warning.kind === kind) }))] },
    ] }));
}

function shardSection() {
  if (shards.length === 0) return null;
  const cells = shard => [text(object(shard.device).name), seconds(number(shard.wall_seconds)), count(number(object(shard.counts).done)),
                          count(number(object(shard.counts).failed)), text(shard.exit_code)];
  return section("shards", "Shards", `Shards (${count(shards.length)})`, el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ["Shard", "Report", "Device", "Seconds", "Done", "Failed", "Exit code"].map((title, i) =>
      el("th", { scope: "col", class: i === 1 || i === 2 ? "words" : null }, title)))),
    el("tbody", {}, shards.map(shard => el("tr", {}, el("th", { scope: "row" }, text(shard.index)),
      el("td", { class: "words" }, fileName(shard.report)),
      cells(shard).map((cell, i) => el("td", { class: i === 0 ? "words" : null }, cell))))))));
}

function aboutSection() {
  const devices = (list(report.devices).length > 0 ? list(report.devices) : [report.device]).map(object)
    .filter(device => text(device.name));
  const command = list(report.command).map(text);
  return section("about", "About this run", "About", facts([
    ["Command", command.length > 0 && el("pre", {}, shellWords(command))],
    ["clconv", text(report.version)],
    ["Libraries", text(report.libraries)],
    ["Devices", devices.length > 0 && el("ul", {}, devices.map(device => el("li", {},
      [text(device.index), text(device.name), text(device.platform), text(device.driver)].filter(word => word).join(", "))))],
    ["Exit code", text(report.exit_code) + (typeof report.signal === "number" ? ` (signal ${report.signal})` : "")],
    ["Options", el("details", {}, el("summary", {}, plural(Object.keys(options).length, "option", "options")),
      el("table", { class: "small" }, el("tbody", {}, Object.entries(options).map(([name, value]) =>
        el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "words" }, typeof value === "string" ? value : JSON.stringify(value)))))))],
  ]));
}

function totalsOfRun() {
  const done = number(counts.done);
  const megapixels = items.reduce((sum, item) => sum + item.pixels, 0) * 1e-6;
  const some = (name, words, kind) => number(counts[name]) > 0 && [words, count(number(counts[name])), kind];
  return totals([
    ["Images", count(number(counts.total))], ["Done", count(done)], some("failed", "Failed", "bad"),
    some("skipped", "Skipped"), some("not_started", "Not started", "bad"),
    warningCount > 0 && ["Warnings", count(warningCount), "warn"],
    ["Time", duration(wall)],
    done > 0 && wall > 0 && ["Images/s", rough(done / wall)],
    megapixels > 0 && wall > 0 && ["Megapixels/s", rough(megapixels / wall)]]);
}

const main = document.querySelector("main");
const made = [failureSection(), warningSection(), timeSection(), throughputSection(),
              gallerySection(gallery, "Before and after", ["Before", "After"], number(counts.done),
                             entry => items[entry] ? nameOf(items[entry]) : ""),
              residualSection(), itemSection(), shardSection(), aboutSection()];
main.querySelector("noscript").remove();
const signal = typeof report.signal === "number" && el("p", { class: "failure" },
  `The run was interrupted by signal ${report.signal}. What had been started was finished.`);
main.append(...[totalsOfRun(), signal, contents(), ...made].filter(part => part));
