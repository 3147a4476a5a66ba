// The viewer: shows a pair in two panes, follows the pointer and the keyboard, and keeps the address up to date.
// Texts of a corpus reach the page as the text of nodes, never as markup.
//
// What is marked and said is up to a view, alignment.js or attribution.js. A view is a function that is given what the
// views share (`shared`), and returns functions:
//   open(data)                 begins with a pair; data is what Python has packed
//   makeWord(side, k, text)    returns the element of a word; those of the class "stop" can be chosen
//   paint()                    marks the words, and returns the line of counts
//   marksOf(stop)              returns the words of the other side that a stop leads to, the main one first, each
//                              { k, name, strength, curve }: the word, two classes, and how probable it is
//   groupOf(stop)              returns the elements that are chosen together with a stop, itself included
//   describe(stop)             returns the nodes of the description
//   inGutter                   whether curves are drawn between the panes only, and not over the texts
//   scoreOf(scores), parameters(), follow(parameters)    the score of a pair, and the settings in the address
"use strict";

(() => {
  const root = document.querySelector(".viewer");
  if (!root) return;
  const index = JSON.parse(document.getElementById("index").textContent);
  const packedPairs = document.getElementsByClassName("pair"); // grows while the browser reads the page
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const panes = part("panes");
  const controls = { search: part("search"), order: part("order") };
  const words = { summary: [], document: [] }; // the words of the pair that is shown, as elements
  let shownPair = 0, order = index.pairs.map((_, number) => number);
  let active = null, pinned = false, scrollTimer = 0, requests = 0;
  let marked = []; // the classes that show the active word, as [element, class]
  const framed = location.protocol === "about:"; // in a notebook, whose address is not ours to change
  const shared = { root, index, part, words, makeElement, repaint, updateAddress, sortPairs, pin, bring };
  const view = (index.view === "attribution" ? attributionView : alignmentView)(shared);

  // ---- drawing -----------------------------------------------------------------------------------------

  function makeElement(name, className, text) {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function fillPane(side, text) {
    const pane = part(side), names = new Map(text.names);
    pane.replaceChildren();
    words[side] = [];
    let first = 0, firstSentence = 0;
    text.b.forEach((end, number) => {
      if (names.has(number)) {
        pane.append(makeElement("h4", "name", names.get(number)));
        firstSentence = number;
      }
      const sentence = makeElement("p", "sentence");
      sentence.append(makeElement("span", "number", String(number - firstSentence + 1)));
      for (let k = first; k < end; k++) {
        if (k > first && text.g[k] === "1") sentence.append(" ");
        const word = view.makeWord(side, k, text.w[k]);
        word.dataset.side = side;
        word.dataset.k = String(k);
        sentence.append(word);
        words[side].push(word);
      }
      pane.append(sentence);
      first = end;
    });
    pane.scrollTop = 0;
  }

  // Mark every word, and keep one tab stop in each pane.
  function repaint() {
    if (!words.summary.length) return;
    part("status").textContent = view.paint();
    for (const side of ["summary", "document"]) {
      const all = [...part(side).querySelectorAll(".stop")], visible = stopsOf(part(side));
      const stop = visible.find((word) => word.tabIndex === 0 && word.hasAttribute("tabindex")) || visible[0];
      for (const word of all) word.tabIndex = word === stop ? 0 : -1;
    }
    showStop(active, false);
  }

  function stopsOf(pane) {
    return [...pane.querySelectorAll(".sentence:not([hidden]) .stop")];
  }

  // ---- one word ----------------------------------------------------------------------------------------

  function targetsOf(stop) {
    const others = words[stop.dataset.side === "summary" ? "document" : "summary"];
    return view.marksOf(stop).map((mark) => ({ ...mark, word: others[mark.k] }));
  }

  // Show what a word leads to; null shows no word.
  function showStop(stop, scroll = true) {
    clearTimeout(scrollTimer);
    for (const [element, name] of marked) element.classList.remove(name);
    marked = [];
    part("curves").replaceChildren();
    active = stop;
    part("detail").replaceChildren(...(stop ? view.describe(stop) : [view.hint]));
    part("detail").scrollTop = 0;
    if (!stop) return;
    const mark = (element, name) => { element.classList.add(name); marked.push([element, name]); };
    const targets = targetsOf(stop);
    for (const element of view.groupOf(stop)) mark(element, "active");
    for (const { word, name, strength } of targets) {
      mark(word, name);
      if (strength !== undefined) word.style.setProperty("--hit", strength.toFixed(3));
    }
    if (scroll && targets.length && !targets.some(({ word }) => isVisible(word))) {
      scrollTimer = setTimeout(() => { reveal(targets[0].word); redrawCurves(); }, 200);
    }
    redrawCurves();
  }

  // ---- choosing a pair ---------------------------------------------------------------------------------

  // Return the data of a pair, once the browser has read it: all pairs before the last one in the page are complete.
  async function unpack(number) {
    while (document.readyState === "loading" && packedPairs.length <= number + 1) {
      await new Promise((resolve) => { setTimeout(resolve, 10); });
    }
    return unpackPair(packedPairs[number].textContent);
  }

  function scoreOf(number) {
    return view.scoreOf(index.pairs[number].scores);
  }

  function sortPairs() {
    order = index.pairs.map((_, number) => number);
    if (controls.order.value === "worst") {
      const value = (number) => scoreOf(number) ?? 2; // pairs without a score come last
      order.sort((x, y) => value(x) - value(y) || x - y);
    }
    showPosition();
  }

  function showPosition() {
    const position = order.indexOf(shownPair) + 1;
    const score = scoreOf(shownPair);
    part("place").textContent = `${position} of ${order.length}` + (score === null ? "" : `, F ${score.toFixed(2)}`);
    part("previous").disabled = position <= 1;
    part("next").disabled = position >= order.length;
  }

  // Put the address of this view into the link beside the pair, and return it.
  function updateLink() {
    const parameters = new URLSearchParams({ pair: index.pairs[shownPair].id, ...view.parameters() });
    if (pinned && active && active.dataset.k) parameters.set("word", `${active.dataset.side}-${active.dataset.k}`);
    part("link").href = `#${parameters}`;
    return `#${parameters}`;
  }

  function updateAddress() {
    const address = updateLink();
    if (!framed) history.replaceState(null, "", address);
  }

  // Show a pair. Returns false if another pair was requested in the meantime.
  async function openPair(number, keepAddress = false) {
    shownPair = number;
    const request = ++requests;
    const data = await unpack(number);
    if (request !== requests) return false;
    const focused = document.activeElement.closest ? document.activeElement.closest(".reading") : null;
    active = null;
    pinned = false;
    part("message").textContent = "";
    controls.search.value = index.pairs[number].id;
    view.open(data);
    fillPane("summary", data.s);
    fillPane("document", data.d);
    repaint();
    showPosition();
    const [first] = focused ? stopsOf(focused) : [];
    if (first) focusStop(first);
    if (keepAddress) updateLink();
    else updateAddress();
    return true;
  }

  // Return the number of a pair, or −1 with a message if it is not on this page.
  function findPair(id) {
    const number = index.pairs.findIndex((pair) => pair.id === id);
    part("message").textContent = number < 0 ? `This page does not show a pair with the id ${id}.` : "";
    return number;
  }

  function step(by) {
    const position = order.indexOf(shownPair) + by;
    if (position >= 0 && position < order.length) openPair(order[position]);
  }

  // Show the view that the address names. Returns false if the address does not name a pair of this page.
  async function followAddress() {
    const parameters = new URLSearchParams(location.hash.slice(1));
    if (!parameters.has("pair")) return false;
    const number = findPair(parameters.get("pair"));
    if (number < 0) return false;
    view.follow(parameters);
    sortPairs();
    if (!(await openPair(number, true))) return true;
    const [side, k] = (parameters.get("word") || "").split("-");
    const word = side in words ? words[side][Number(k)] : undefined;
    if (word && word.classList.contains("stop")) {
      pinned = true;
      reveal(word);
      showStop(word);
      updateLink();
    }
    return true;
  }

  // ---- events ------------------------------------------------------------------------------------------

  function stopAt(event) {
    return event.target.closest ? event.target.closest(".stop") : null;
  }

  function focusStop(stop) {
    for (const other of paneOf(stop).querySelectorAll('.stop[tabindex="0"]')) other.tabIndex = -1;
    stop.tabIndex = 0;
    stop.focus({ preventScroll: true });
    if (!isVisible(stop)) reveal(stop);
  }

  // Show a word until another one is pinned, with what it leads to in view.
  function pin(stop) {
    pinned = true;
    focusStop(stop);
    showStop(stop, false);
    const [first] = targetsOf(stop);
    if (first) bring(first.word);
    stop.scrollIntoView({ block: "nearest" });
    updateAddress();
  }

  // Scroll until a word can be seen: in its pane, and the page, whose window may be above or below the pane.
  function bring(word) {
    if (!isVisible(word)) reveal(word);
    word.scrollIntoView({ block: "nearest" });
    redrawCurves();
  }

  function unpin() {
    pinned = false;
    showStop(null);
    updateAddress();
  }

  function togglePin(stop) {
    if (!pinned || stop !== active) return pin(stop);
    pinned = false;
    updateAddress();
  }

  panes.addEventListener("mouseover", (event) => {
    const stop = stopAt(event);
    if (stop && !pinned) showStop(stop);
  });
  panes.addEventListener("mouseleave", () => { if (!pinned) showStop(null); });
  panes.addEventListener("focusin", (event) => {
    const stop = stopAt(event);
    if (stop && !pinned) showStop(stop);
  });
  panes.addEventListener("click", (event) => {
    const stop = stopAt(event);
    if (stop) togglePin(stop);
    else if (pinned) unpin();
  });
  panes.addEventListener("keydown", (event) => {
    const stop = stopAt(event);
    if (!stop) return;
    const target = () => {
      const stops = stopsOf(paneOf(stop)), at = stops.indexOf(stop), sentence = (other) => other.closest(".sentence");
      const elsewhere = (other) => sentence(other) !== sentence(stop);
      switch (event.key) {
        case "ArrowRight": return stops[at + 1];
        case "ArrowLeft": return stops[at - 1];
        case "Home": return stops[0];
        case "End": return stops.at(-1);
        case "ArrowDown": return stops.slice(at).find(elsewhere);
      }
      const before = stops.slice(0, at).reverse().find(elsewhere);
      return before && stops.find((other) => sentence(other) === sentence(before));
    };
    if (/^(Arrow(Right|Left|Up|Down)|Home|End)$/.test(event.key)) {
      const other = target();
      if (other) { pinned = false; focusStop(other); }
    } else if (event.key === "Enter" || event.key === " ") {
      togglePin(stop);
    } else {
      return;
    }
    event.preventDefault();
  });

  function redrawCurves() {
    if (active) drawCurves(part("curves"), active, targetsOf(active), view.inGutter);
  }
  for (const side of ["summary", "document"]) {
    part(side).addEventListener("scroll", redrawCurves, { passive: true });
  }
  window.addEventListener("resize", redrawCurves);

  controls.order.addEventListener("change", () => { sortPairs(); openPair(order[0]); });
  controls.search.addEventListener("change", () => {
    const id = controls.search.value.trim();
    if (!id) controls.search.value = index.pairs[shownPair].id;
    const number = id ? findPair(id) : -1;
    if (number >= 0 && number !== shownPair) openPair(number);
  });
  part("previous").addEventListener("click", () => step(-1));
  part("next").addEventListener("click", () => step(1));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === "Escape" && pinned) unpin();
    else if (event.key === "n") step(1);
    else if (event.key === "p") step(-1);
    else if (event.key === "/") { event.preventDefault(); controls.search.select(); controls.search.focus(); }
  });

  // Show the view that the address names, scrolled to it. Returns false as followAddress does.
  async function visitAddress() {
    const followed = await followAddress();
    root.scrollIntoView();
    if (pinned && active) bring(active);
    return followed;
  }
  // Addresses without a pair belong to the sections of the page.
  window.addEventListener("hashchange", () => {
    if (new URLSearchParams(location.hash.slice(1)).has("pair")) visitAddress();
  });
  // A link to a pair scrolls to the viewer when it is clicked again, and when this page lacks the pair.
  document.addEventListener("click", (event) => {
    const link = event.target.closest ? event.target.closest('a[href^="#pair="]') : null;
    if (!link) return;
    event.preventDefault();
    if (location.hash === link.hash) visitAddress();
    else location.hash = link.hash;
  });

  part("link").hidden = framed;
  async function begin() {
    const named = new URLSearchParams(location.hash.slice(1)).has("pair");
    if (!named || !(await visitAddress())) openPair(order[0], true);
  }
  if (index.pairs.length) begin();
})();
