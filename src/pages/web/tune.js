// SPDX-License-Identifier: Apache-2.0
"use strict";
// A click on a heading sorts its table by that column, numbers as numbers; another click turns the order round.
for (const table of document.querySelectorAll("table")) {
  const headings = [...table.querySelectorAll("th")];
  headings.forEach((heading, column) => heading.querySelector("button").addEventListener("click", () => {
    const rising = heading.getAttribute("aria-sort") !== "ascending";
    for (const other of headings) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", rising ? "ascending" : "descending");
    const value = row => {
      const text = row.cells[column].textContent, number = Number(text);
      return text !== "" && !Number.isNaN(number) ? number : text;
    };
    const compare = (a, b) => typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1;
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => (rising ? 1 : -1) * compare(value(a), value(b)));
    table.tBodies[0].append(...rows);
  }));
}
