// Tables are sorted by the column whose heading is pressed.
"use strict";

for (const heading of document.querySelectorAll("table.sortable th button")) {
  heading.addEventListener("click", () => {
    const cell = heading.closest("th"), table = heading.closest("table");
    const column = [...cell.parentNode.children].indexOf(cell);
    const downwards = cell.getAttribute("aria-sort") !== "descending";
    for (const one of cell.parentNode.children) one.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", downwards ? "descending" : "ascending");
    const value = (row) => row.children[column].dataset.value ?? row.children[column].textContent;
    const compare = (x, y) => {
      const [a, b] = [value(x), value(y)];
      const numbers = a !== "" && b !== "" && !isNaN(a) && !isNaN(b);
      return numbers ? Number(a) - Number(b) : a.localeCompare(b);
    };
    const rows = [...table.tBodies[0].rows].sort((x, y) => (downwards ? compare(y, x) : compare(x, y)));
    table.tBodies[0].append(...rows);
  });
}
