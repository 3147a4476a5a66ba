// The viewer: shows a pair in panes, follows the pointer and the keyboard, and keeps the address up to date.
// Texts of a corpus reach the page as the text of nodes, never as markup.
//
// What is marked and said is up to a view, alignment.js or attribution.js. A view is a function that is given what the
// views share (`shared`), and returns functions:
//   open(data)                 begins with a pair; data is what Python has packed
//   rivalText()                returns the text of the pane "rival", if the page has this pane
//   makeWord(side, k, text)    returns the element of a word; those of the class "stop" can be chosen
//   paint()                    marks the words, and returns the line of counts
//   marksOf(stop)              returns the words of the other side that a stop leads to, the main one first, each
//                              { k, side, name, strength, curve }: the word and its pane (by default the document or
//                              the summary), two classes, and how probable it is
//   groupOf(stop)              returns the elements that are chosen together with a stop, itself included
//   describe(stop)             returns the nodes of the description
//   inGutter                   whether curves are drawn between the panes only, and not over the texts
//   scoreOf(pair), doubtOf(pair), keeps(pair)    the F and the doubt of a pair of the index, whether it is in the list
//   searched()                 returns a test of the data of a pair that is in the list, or null
//   parameters(), follow(parameters)    the settings in the address
//   cite(stops)                returns the lines of a citation of stops of one pane
//   rows()                     returns what is shown as rows of a table, objects with the same keys
//   markdown()                 returns the text with footnotes, if the page saves it
"use strict";

(() => {
  const root = document.querySelector(".viewer");
  if (!root) return;
  const index = JSON.parse(document.getElementById("index").textContent);
  const packedPairs = document.getElementsByClassName("pair"); // grows while the browser reads the page
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const panes = part("panes");
  const sides = ["summary", "document", "rival"].filter(part);
  const words = Object.fromEntries(sides.map((side) => [side, []])); // those of the pair that is shown, as elements
  let shownPair = 0, active = null, pinned = false, scrollTimer = 0, requests = 0;
  let data = null; // of the pair that is shown
  let marked = []; // the classes that show the active word, as [element, class]
  const framed = location.protocol === "about:"; // in a notebook, whose address is not ours to change
  const chooseAmong = () => pairs.choose();
  const shared = { root, index, part, words, makeElement, repaint, updateAddress, chooseAmong, pin, bring };
  const view = (index.view === "attribution" ? attributionView : alignmentView)(shared);
  const shown = () => shownPair;
  const pairs = pairList({ index, part, view, unpack, show: openPair, shown, refresh });
  const pairId = () => index.pairs[shownPair].id;
  const share = sharing({ root, part, view, words, pairId, address, active: () => active });

  // ---- drawing -----------------------------------------------------------------------------------------

  function texts() {
    return { summary: data.s, document: data.d, rival: part("rival") && view.rivalText() };
  }

  // Show the same pair under other settings, and keep the word that is shown.
  function refresh() {
    if (!data) return;
    view.open(data);
    if (active && active.dataset.side === "rival") unpin();
    if (part("rival")) fill("rival");
    markFound();
    repaint();
    updateAddress();
  }

  function fill(side) {
    words[side] = fillPane(part(side), side, texts()[side], view.makeWord);
  }

  function markFound() {
    for (const side of sides) showFound(words[side], wordsWith(texts()[side], pairs.wanted()), !active);
  }

  // Mark every word, and keep one tab stop in each pane.
  function repaint() {
    if (!words.summary.length) return;
    part("status").textContent = view.paint();
    for (const side of sides) keepOneTabStop(part(side));
    showStop(active, false);
  }

  // ---- one word ----------------------------------------------------------------------------------------

  function targetsOf(stop) {
    const other = stop.dataset.side === "document" ? "summary" : "document";
    return view.marksOf(stop).map((mark) => ({ ...mark, from: stop, to: words[mark.side || other][mark.k] }));
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
    for (const { to, name, strength } of targets) {
      mark(to, name);
      if (strength !== undefined) to.style.setProperty("--hit", strength.toFixed(3));
    }
    const others = targets.filter(({ to }) => paneOf(to) !== paneOf(stop)).map(({ to }) => to);
    if (scroll && others.length && !others.some(isVisible)) {
      scrollTimer = setTimeout(() => { reveal(others[0]); redrawCurves(); }, 200);
    }
    redrawCurves();
  }

  function redrawCurves() {
    if (active) drawCurves(part("curves"), targetsOf(active), view.inGutter);
  }

  // ---- pairs and addresses -----------------------------------------------------------------------------

  // Return the data of a pair, once the browser has read it: all pairs before the last one in the page are complete.
  async function unpack(number) {
    while (document.readyState === "loading" && packedPairs.length <= number + 1) {
      await new Promise((resolve) => { setTimeout(resolve, 10); });
    }
    return unpackPair(packedPairs[number].textContent);
  }

  // Put the address of this view into the link beside the pair, and return it.
  function updateLink() {
    const settings = { ...view.parameters(), ...pairs.parameters() };
    const parameters = new URLSearchParams({ pair: index.pairs[shownPair].id, ...settings });
    if (pinned && active && active.dataset.k) parameters.set("word", `${active.dataset.side}-${active.dataset.k}`);
    part("link").href = `#${parameters}`;
    return `#${parameters}`;
  }

  function address() {
    return new URL(updateLink(), location.href).href;
  }

  function updateAddress() {
    share.clear();
    const address = updateLink();
    if (!framed) history.replaceState(null, "", address);
  }

  // Show a pair. Returns false if another pair was requested in the meantime.
  async function openPair(number, keepAddress = false) {
    shownPair = number;
    const request = ++requests;
    const unpacked = await unpack(number);
    if (request !== requests) return false;
    data = unpacked;
    const focused = document.activeElement.closest ? document.activeElement.closest(".reading") : null;
    active = null;
    pinned = false;
    part("message").textContent = "";
    part("search").value = index.pairs[number].id;
    view.open(data);
    sides.forEach(fill);
    markFound();
    repaint();
    pairs.place();
    const [first] = focused ? stopsOf(focused) : [];
    if (first) focusStop(first);
    if (keepAddress) updateLink();
    else updateAddress();
    return true;
  }

  // Show the view that the address names. Returns false if the address does not name a pair of this page.
  async function followAddress() {
    const parameters = new URLSearchParams(location.hash.slice(1));
    if (!parameters.has("pair")) return false;
    const number = pairs.find(parameters.get("pair"));
    if (number < 0) return false;
    view.follow(parameters);
    pairs.follow(parameters);
    pairs.list();
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

  // Show the view that the address names, scrolled to it. Returns false as followAddress does.
  async function visitAddress() {
    const followed = await followAddress();
    root.scrollIntoView();
    if (pinned && active) bring(active);
    return followed;
  }

  async function begin() {
    const named = new URLSearchParams(location.hash.slice(1)).has("pair");
    if (!named || !(await visitAddress())) openPair(pairs.first(), true);
  }

  // ---- events ------------------------------------------------------------------------------------------

  function stopAt(event) {
    return event.target.closest ? event.target.closest(".stop") : null;
  }

  // Show a word until another one is pinned, with what it leads to in view.
  function pin(stop) {
    pinned = true;
    focusStop(stop);
    showStop(stop, false);
    const [first] = targetsOf(stop);
    if (first) bring(first.to);
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

  for (const name of ["mouseover", "focusin"]) {
    panes.addEventListener(name, (event) => {
      const stop = stopAt(event);
      if (stop && !pinned) showStop(stop);
    });
  }
  panes.addEventListener("mouseleave", () => { if (!pinned) showStop(null); });
  panes.addEventListener("click", (event) => {
    const stop = stopAt(event);
    if (stop) togglePin(stop);
    else if (pinned && !event.target.closest("details")) unpin(); // a finding is opened with its passage pinned
  });
  panes.addEventListener("keydown", (event) => {
    const stop = stopAt(event);
    if (!stop) return;
    const other = stopReached(event.key, stop);
    if (other) {
      pinned = false;
      focusStop(other);
    } else if (event.key === "Enter" || event.key === " ") {
      togglePin(stop);
    } else if (other === null) {
      return;
    }
    event.preventDefault();
  });
  for (const side of sides) part(side).addEventListener("scroll", redrawCurves, { passive: true });
  window.addEventListener("resize", redrawCurves);

  const shortcuts = {
    n: () => pairs.step(1),
    p: () => pairs.step(-1),
    f: () => { part("contains").focus(); part("contains").select(); },
    "/": () => { part("search").focus(); part("search").select(); },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === "Escape" && pinned) return unpin();
    if (!Object.hasOwn(shortcuts, event.key)) return;
    event.preventDefault();
    shortcuts[event.key]();
  });
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

  for (const name of ["link", "copy-link"]) part(name).hidden = framed;
  if (index.pairs.length) begin();
})();
