// Elements, and the stops of a pane: the words that can be chosen, one of which is reached by the tab key, the others by arrow keys.
"use strict";

function makeElement(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function stopsOf(pane) {
  return [...pane.querySelectorAll(".sentence:not([hidden]) .stop")];
}

// Leave one tab stop in a pane, the present one if it can be seen.
function keepOneTabStop(pane) {
  const visible = stopsOf(pane);
  const kept = visible.find((stop) => stop.tabIndex === 0 && stop.hasAttribute("tabindex")) || visible[0];
  for (const stop of pane.querySelectorAll(".stop")) stop.tabIndex = stop === kept ? 0 : -1;
}

function focusStop(stop) {
  for (const other of paneOf(stop).querySelectorAll('.stop[tabindex="0"]')) other.tabIndex = -1;
  stop.tabIndex = 0;
  stop.focus({ preventScroll: true });
  if (!isVisible(stop)) reveal(stop);
}

// Return the stop that a key leads to; null if the key does not move, undefined if there is none.
function stopReached(key, stop) {
  if (!/^(Arrow(Right|Left|Up|Down)|Home|End)$/.test(key)) return null;
  const stops = stopsOf(paneOf(stop)), at = stops.indexOf(stop), sentence = (other) => other.closest(".sentence");
  const elsewhere = (other) => sentence(other) !== sentence(stop);
  switch (key) {
    case "ArrowRight": return stops[at + 1];
    case "ArrowLeft": return stops[at - 1];
    case "Home": return stops[0];
    case "End": return stops.at(-1);
    case "ArrowDown": return stops.slice(at).find(elsewhere);
  }
  const before = stops.slice(0, at).reverse().find(elsewhere);
  return before && stops.find((other) => sentence(other) === sentence(before));
}
