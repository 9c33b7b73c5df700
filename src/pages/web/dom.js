// SPDX-License-Identifier: Apache-2.0
"use strict";
// What all parts of a report's page share. Whatever comes from the report is shown as text, never as HTML, and may have
// any type: reports may come from elsewhere.

/** An element. Attributes that are functions are listeners; null and false leave an attribute or a child out. */
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

const embedded = id => JSON.parse(document.getElementById(id).textContent);
const text = value => typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
const number = value => typeof value === "number" && Number.isFinite(value) ? value : 0;
const list = value => Array.isArray(value) ? value : [];
const object = value => value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};

const wholeNumbers = new Intl.NumberFormat("en-US");
const count = value => wholeNumbers.format(value);
const plural = (value, one, several) => `${count(value)} ${value === 1 ? one : several}`;
const seconds = value => value >= 100 ? count(Math.round(value)) : value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3);
const duration = value => value < 120 ? `${seconds(value)} s` : value < 7200
  ? `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`
  : `${Math.floor(value / 3600)} h ${Math.round(value % 3600 / 60)} min`;
/** A number with three digits that count: 1,234 or 12.3 or 0.0123. */
const rough = value => Math.abs(value) >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(3)));

/** A name of a file: its characters do not change the order of what stands beside it. */
const fileName = (name, attributes) => el("bdi", { class: "name", ...attributes }, text(name));

const sections = [];
/** A part of the page with a heading, which the list at its top links to. */
function section(id, title, short, ...content) {
  sections.push({ id, short });
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title`, tabindex: -1 }, title),
            ...content);
}

/** Links to the sections that have been made. They are buttons, because a page that was sent has no address. */
function contents() {
  const show = id => {
    const heading = document.getElementById(`${id}-title`);
    heading.scrollIntoView();
    heading.focus({ preventScroll: true });
  };
  return el("nav", { "aria-label": "On this page" },
            sections.map(({ id, short }) => el("button", { type: "button", click: () => show(id) }, short)));
}

/** Terms with numbers: [[term, value, class], ...]. */
function totals(entries) {
  return el("dl", { class: "totals" }, entries.filter(entry => entry).map(([term, value, kind]) =>
    el("div", { class: kind }, el("dt", {}, term), el("dd", {}, value))));
}

/** Adds entries to `place`, a few at first, and more when a button is pressed. */
function longList(place, entries, shown, render) {
  const more = el("button", { type: "button", class: "more" });
  let next = 0;
  const add = amount => {
    const first = next;
    next = Math.min(entries.length, next + amount);
    place.append(...entries.slice(first, next).map(render));
    const left = entries.length - next;
    more.hidden = left === 0;
    more.textContent = `Show ${count(Math.min(left, 200))} more of ${count(left)}`;
  };
  more.addEventListener("click", () => add(200));
  add(shown);
  return [place, more];
}

const nameList = names => longList(el("ul", { class: "names" }), names, 20, name => el("li", {}, fileName(name)));

/**
 * Entries whose messages differ only in the names of their own files and in numbers, the most frequent first:
 * [{message, differ, entries}]. The message is the first one, with an ellipsis for each name.
 */
function groups(entries, messageOf, namesOf) {
  const found = new Map();
  for (const entry of entries) {
    let message = messageOf(entry);
    for (const name of namesOf(entry)) if (name) message = message.replaceAll(name, "\u2026");
    const shape = message.replaceAll(/\d+(\.\d+)?/g, "#");
    const group = found.get(shape);
    if (group) {
      group.entries.push(entry);
      group.differ ||= message !== group.message;
    } else {
      found.set(shape, { message, differ: false, entries: [entry] });
    }
  }
  return [...found.values()].sort((a, b) => b.entries.length - a.entries.length);
}

/** A group with its names. `nameOf`: of an entry; `noun`: what entries are, one and several. */
function groupArticle({ message, differ, entries }, kind, nameOf, noun) {
  const [what, todo] = parted(withoutName(message));
  return el("article", { class: kind },
    el("div", { class: "of" }, entries.length === 1 ? fileName(nameOf(entries[0]))
      : el("details", { class: "printed" }, el("summary", {}, plural(entries.length, ...noun)), nameList(entries.map(nameOf)))),
    el("p", { class: "message" }, differ && el("span", { class: "quiet" }, "for example: "), sentence(what)),
    todo && el("p", { class: "todo" }, el("b", {}, "What to do: "), sentence(todo)));
}

const groupArticles = (found, kind, nameOf, noun) =>
  longList(el("div"), found, 30, group => groupArticle(group, kind, nameOf, noun));

/** What to do where a library or the system gave the reason. */
const advice = [
  [/cannot be decoded/, "Open the file in another program. If that works, convert it there; if not, get the file again"],
  [/No space left|Disk quota/, "Make room on the disk"],
  [/Permission denied|Read-only/, "Let clconv read the file and write to the folder of its output"],
  [/No such file/, "Check the name: there was no such file when its turn came"],
  [/Cannot allocate memory|bad_alloc/, "Give clconv more memory, or fewer images at a time with --jobs"],
];

/** A message of clconv says what is wrong and then, after a semicolon, what to do. */
function parted(message) {
  const end = message.indexOf("; ");
  if (end >= 0) return [message.slice(0, end), message.slice(end + 2)];
  const known = advice.find(([pattern]) => pattern.test(message));
  return [message, known ? known[1] : ""];
}

/** A message without the name of its file at its beginning. */
const withoutName = shape => shape.startsWith("\u2026: ") ? shape.slice(3) : shape;
const sentence = words => words ? words[0].toUpperCase() + words.slice(1) + (/[.!?\u2026]$/.test(words) ? "" : ".") : "";

/** What is folded is printed, too. */
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details.printed:not([open])")) {
    details.open = true;
    details.dataset.folded = "";
  }
});
addEventListener("afterprint", () => {
  for (const details of document.querySelectorAll("details[data-folded]")) {
    details.open = false;
    delete details.dataset.folded;
  }
});
