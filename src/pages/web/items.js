// SPDX-License-Identifier: Apache-2.0
// A table of many rows: filters, sorting, and pages, so that only a hundred rows are there at a time.

const pageRows = 100;

/**
 * `columns`: [{title, value: row => number or text, cell: row => child, text: whether it is text, hidden}].
 * `filters`: [{label, choices: [{words, accepts: row => boolean}]}].
 * `details`: row => element, made when the row is opened.
 * `words`: row => the text in which the filter searches.
 */
function itemTable({ id, rows, columns, filters, details, words, noun }) {
  const used = columns.filter(column => !column.hidden);
  const state = { column: null, rising: true, page: 0, chosen: filters.map(() => 0), search: "" };
  const haystacks = new Map();
  const haystack = row => {
    if (!haystacks.has(row)) haystacks.set(row, words(row).toLowerCase());
    return haystacks.get(row);
  };
  const body = el("tbody");
  const status = el("p", { class: "quiet", role: "status" });
  let found = rows;

  const compare = (a, b) => {
    const x = state.column.value(a), y = state.column.value(b);
    const order = typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y;
    return state.rising ? order : -order;
  };
  const opened = (row, line, button) => {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", isOpen ? "false" : "true");
    if (isOpen) line.nextElementSibling.remove();
    else line.after(el("tr", { class: "details" }, el("td", { colspan: used.length }, details(row))));
  };
  const lineOf = row => {
    const line = el("tr");
    used.forEach((column, i) => {
      const content = column.cell(row);
      const button = i === 0 && el("button", {
        type: "button", "aria-expanded": "false", click: event => opened(row, line, event.currentTarget) }, content);
      line.append(el(i === 0 ? "th" : "td", { scope: i === 0 ? "row" : null, class: column.text ? "words" : null },
                     button || content));
    });
    return line;
  };
  const pagers = [0, 1].map(() => {
    const turn = step => () => { state.page += step; show(); };
    const previous = el("button", { type: "button", click: turn(-1) }, "Previous");
    const next = el("button", { type: "button", click: turn(1) }, "Next");
    const place = el("span", { class: "quiet" });
    return { previous, next, place, element: el("div", { class: "pager" }, previous, next, place) };
  });
  const show = () => {
    const pages = Math.max(1, Math.ceil(found.length / pageRows));
    state.page = Math.min(pages - 1, Math.max(0, state.page));
    const first = state.page * pageRows;
    const shown = found.slice(first, first + pageRows);
    body.replaceChildren(...shown.map(lineOf));
    status.textContent = found.length === rows.length ? plural(rows.length, ...noun)
      : `${count(found.length)} of ${plural(rows.length, ...noun)}`;
    for (const { previous, next, place, element } of pagers) {
      element.hidden = pages === 1;
      previous.disabled = state.page === 0;
      next.disabled = state.page === pages - 1;
      place.textContent = `${count(first + 1)} to ${count(first + shown.length)} of ${count(found.length)}`;
    }
  };
  const select = () => {
    const search = state.search.trim().toLowerCase();
    const rules = filters.map((filter, i) => filter.choices[state.chosen[i]].accepts).filter(rule => rule);
    found = rows.filter(row => rules.every(rule => rule(row)) && (!search || haystack(row).includes(search)));
    if (state.column) found.sort(compare);
    state.page = 0;
    show();
  };
  const headings = used.map(column => {
    const button = el("button", { type: "button", click: () => {
      state.rising = state.column === column ? !state.rising : true;
      state.column = column;
      headings.forEach(heading => heading.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", state.rising ? "ascending" : "descending");
      select();
    } }, column.title);
    const heading = el("th", { scope: "col", class: column.text ? "words" : null }, button);
    return heading;
  });
  let waiting = 0;
  const search = el("input", { type: "search", id: `${id}-search`, autocomplete: "off", input: () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { state.search = search.value; select(); }, 120);
  } });
  const menus = filters.map((filter, i) => el("label", {}, el("span", {}, filter.label),
    el("select", { change: event => { state.chosen[i] = event.target.selectedIndex; select(); } },
       filter.choices.map(choice => el("option", {}, choice.words)))));
  show();
  return [
    el("div", { class: "filters" }, el("label", {}, el("span", {}, "Search"), search), menus),
    status, pagers[0].element,
    el("div", { class: "scroll" }, el("table", { class: "items" }, el("thead", {}, el("tr", {}, headings)), body)),
    pagers[1].element];
}

/** Facts of one row: [[term, content], ...]; those without content are left out. */
function facts(entries) {
  return el("dl", { class: "facts" }, entries.filter(([, content]) => content && content.length !== 0)
    .map(([term, content]) => [el("dt", {}, term), el("dd", {}, content)]));
}
