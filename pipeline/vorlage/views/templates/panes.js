// The panes, and the stops in them: the words that can be chosen, one of which is reached by the tab key, the others by arrow keys.
"use strict";

function makeElement(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

// Return the number of a page, a link if it is one of a PDF beside this page. In a frame of the app, the app opens it.
function pageLink(name, page) {
  if (!/\.pdf$/i.test(name)) return makeElement("span", "leaf", `page ${page}`);
  const link = makeElement("a", "leaf", `page ${page}`);
  Object.assign(link, { href: `${name.split("/").map(encodeURIComponent).join("/")}#page=${page}`, target: "_blank", rel: "noopener" });
  link.addEventListener("click", (event) => {
    if (window.parent === window) return;
    event.preventDefault();
    window.parent.postMessage({ name, page }, "*");
  });
  return link;
}

// Fill a pane with a text, a paragraph for each sentence, below the names of documents and the titles of sections.
// Returns its words, which makeWord(side, k, text) makes.
function fillPane(pane, side, text, makeWord) {
  const names = new Map(text.names), sections = new Map(text.h), pages = new Map(text.pages), words = [];
  let first = 0, firstSentence = 0, name;
  pane.replaceChildren();
  text.b.forEach((end, number) => {
    if (names.has(number)) {
      name = names.get(number);
      pane.append(makeElement("h3", "name", name));
      firstSentence = number;
    }
    if (pages.get(number)) pane.append(pageLink(name, pages.get(number)));
    const title = sections.get(number);
    if (title) pane.append(makeElement("h3", "section", title));
    else if (title === "" && number > 0) pane.append(makeElement("hr", "section")); // a section without a title
    const sentence = makeElement("div", "sentence"), line = makeElement("p");
    sentence.append(makeElement("span", "number", String(number - firstSentence + 1)), line);
    for (let k = first; k < end; k++) {
      if (k > first && text.g[k] === "1") line.append(" ");
      const word = makeWord(side, k, text.w[k]);
      Object.assign(word.dataset, { side, k });
      line.append(word);
      words.push(word);
    }
    pane.append(sentence);
    first = end;
  });
  pane.scrollTop = 0;
  return words;
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

// Mark the words that were searched for, those with the numbers `found`, and bring the first one into view if wanted.
function showFound(words, found, bring) {
  words.forEach((word, k) => word.classList.toggle("found", found.has(k)));
  const first = words.find((word) => word.classList.contains("found"));
  if (bring && first && !isVisible(first)) reveal(first);
}
