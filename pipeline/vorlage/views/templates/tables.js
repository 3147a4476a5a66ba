// Sort a table by a column when the column's heading is pressed, and show its folded columns when asked to.
"use strict";

document.addEventListener("click", (event) => {
  const button = event.target.closest ? event.target.closest(".fold button") : null;
  if (!button) return;
  const shown = document.getElementById(button.getAttribute("aria-controls")).classList.toggle("unfolded");
  button.setAttribute("aria-expanded", shown);
  button.textContent = shown ? "Fewer columns" : "More columns";
});

document.addEventListener("click", (event) => {
  const button = event.target.closest ? event.target.closest("table.sortable th button") : null;
  if (!button) return;
  const heading = button.closest("th"), table = button.closest("table");
  const column = [...heading.parentNode.children].indexOf(heading);
  const descending = heading.getAttribute("aria-sort") !== "descending";
  for (const other of heading.parentNode.children) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  const value = (row) => row.children[column].dataset.value ?? row.children[column].textContent;
  const compare = (x, y) => {
    const [a, b] = [value(x), value(y)];
    const areNumbers = a !== "" && b !== "" && !isNaN(a) && !isNaN(b);
    return areNumbers ? Number(a) - Number(b) : a.localeCompare(b);
  };
  const rows = [...table.tBodies[0].rows].sort((x, y) => (descending ? compare(y, x) : compare(x, y)));
  table.tBodies[0].append(...rows);
});
