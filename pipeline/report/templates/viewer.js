// The alignment viewer: draws a pair, follows the pointer and the keyboard, and keeps the address up to date.
// Texts of a corpus reach the page as the text of nodes, never as markup.
//
// This file is long because its handlers share the state of one view: the pair, the system, the active word.
// Whatever needs no state is in links.js.
"use strict";

(() => {
  const root = document.querySelector(".viewer");
  if (!root) return;
  const index = JSON.parse(document.getElementById("index").textContent);
  const packedPairs = document.querySelectorAll("script.pair");
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const panes = part("panes");
  const controls = {
    search: part("search"), order: part("order"), system: part("system"), threshold: part("threshold"),
    reset: part("reset"), gold: part("gold"), only: part("only"),
  };
  const state = { pair: 0, system: index.systems[0], threshold: null, gold: true, only: false };
  let order = index.pairs.map((_, number) => number);
  let data = null; // the pair that is shown
  let words = { summary: [], document: [] }; // its words, as elements
  let shown = null; // the links that are shown: { system, gold }
  let active = null, pinned = false, scrollTimer = 0, requests = 0;
  const framed = location.protocol === "about:"; // in a notebook, whose address is not ours to change

  // ---- drawing -----------------------------------------------------------------------------------------

  function makeElement(name, className, text) {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function fillPane(side, text) {
    const pane = part(side);
    pane.replaceChildren();
    words[side] = [];
    let first = 0;
    text.b.forEach((end, number) => {
      const sentence = makeElement("p", "sentence");
      sentence.append(makeElement("span", "number", String(number + 1)));
      for (let k = first; k < end; k++) {
        if (k > first && text.g[k] === "1") sentence.append(" ");
        const word = makeElement("span", "word", text.w[k]);
        word.dataset.side = side;
        word.dataset.k = String(k);
        word.tabIndex = -1;
        word.setAttribute("role", "button");
        sentence.append(word);
        words[side].push(word);
      }
      pane.append(sentence);
      first = end;
    });
    pane.scrollTop = 0;
    if (words[side].length) words[side][0].tabIndex = 0;
  }

  function largestValue(row) {
    return row && row.size ? Math.max(...row.values()) : 0;
  }

  // Mark every word by its links, and count disagreements with the gold.
  function paint() {
    if (!data) return;
    shown = { system: systemLinks(data, state.system, state.threshold), gold: goldLinks(data) };
    const only = state.only && Boolean(data.unit); // without gold, there are no disagreements to show
    root.classList.toggle("only", only);
    for (const side of ["summary", "document"]) {
      words[side].forEach((word, k) => {
        const strength = largestValue(shown.system[side].get(k));
        word.style.setProperty("--p", strength.toFixed(3));
        word.classList.toggle("linked", strength > 0);
        word.classList.toggle("null", side === "summary" && strength === 0);
        word.classList.toggle("in-gold", state.gold && shown.gold[side].has(k));
      });
    }
    let wrong = 0, missed = 0;
    words.summary.forEach((word, i) => {
      const result = verdict(data.unit, shown.system, shown.gold, i);
      wrong += result === "wrong";
      missed += result === "missed";
      word.classList.toggle("wrong", state.gold && result === "wrong");
      word.classList.toggle("missed", state.gold && result === "missed");
      word.classList.toggle("agrees", result === "");
    });
    for (const sentence of part("summary").children) {
      sentence.hidden = only && !sentence.querySelector(".word:not(.agrees)");
    }
    keepTabStopVisible();
    const linked = words.summary.filter((word) => word.classList.contains("linked")).length;
    const texts = [`${linked} of ${words.summary.length} summary words linked`];
    if (data.unit) texts.push(`by the gold, ${wrong} wrong and ${missed} missed`);
    part("status").textContent = texts.join("; ");
    controls.threshold.disabled = controls.reset.disabled = !shown.system.hasPosteriors;
    part("value").textContent = state.threshold === null ? "as decoded" : state.threshold.toFixed(2);
    showWord(active, false);
  }

  function keepTabStopVisible() {
    const stop = words.summary.find((word) => word.tabIndex === 0);
    if (!stop || !stop.parentNode.hidden) return;
    const visible = words.summary.find((word) => !word.parentNode.hidden);
    if (visible) { stop.tabIndex = -1; visible.tabIndex = 0; }
  }

  // ---- one word ----------------------------------------------------------------------------------------

  function otherSide(side) {
    return side === "summary" ? "document" : "summary";
  }

  // Return the links of a word to the other side: { system, gold }, maps from words to values.
  function linksOf(word) {
    const side = word.dataset.side, k = Number(word.dataset.k);
    return {
      system: shown.system[side].get(k) || new Map(),
      gold: (state.gold && shown.gold[side].get(k)) || new Map(),
    };
  }

  function clearMarks() {
    for (const word of panes.querySelectorAll(".active, .hit, .gold-sure, .gold-possible")) {
      word.classList.remove("active", "hit", "gold-sure", "gold-possible");
    }
    part("curves").replaceChildren();
  }

  // Show what a word is linked to; null shows no word.
  function showWord(word, scroll = true) {
    clearTimeout(scrollTimer);
    clearMarks();
    active = word;
    if (!word) {
      part("detail").textContent = "Point at a word, or move with the arrow keys, to see what it is linked to.";
      return;
    }
    const others = words[otherSide(word.dataset.side)];
    const links = linksOf(word);
    word.classList.add("active");
    for (const [j, posterior] of links.system) {
      others[j].classList.add("hit");
      others[j].style.setProperty("--hit", posterior.toFixed(3));
    }
    for (const [j, kind] of links.gold) others[j].classList.add(kind === 2 ? "gold-sure" : "gold-possible");
    part("detail").textContent = describeWord(word, links);
    const targets = [...new Set([...links.system.keys(), ...links.gold.keys()])].map((j) => others[j]);
    if (scroll && targets.length && !targets.some(isVisible)) {
      scrollTimer = setTimeout(() => { reveal(targets[0]); drawCurves(word, links); }, 200);
    }
    drawCurves(word, links);
  }

  function quoteWords(side, numbers) {
    return numbers.map((k) => `“${(side === "summary" ? data.s : data.d).w[k]}”`).join(" ");
  }

  // Say how probable it is that a summary word has no source; nothing for a system that does not tell.
  function noSource(k, before) {
    const posterior = shown.system.nulls.get(k) ?? null;
    return posterior === null ? "" : `${before}no source ${posterior.toFixed(2)}`;
  }

  function describeWord(word, links) {
    const side = word.dataset.side, other = otherSide(side), k = Number(word.dataset.k);
    const texts = [`${quoteWords(side, [k])} (${side} word ${k})`];
    const sorted = [...links.system].sort((x, y) => x[0] - y[0]);
    if (sorted.length) {
      const value = (posterior) => (shown.system.hasPosteriors ? ` ${posterior.toFixed(2)}` : "");
      const quoted = sorted.map(([j, posterior]) => quoteWords(other, [j]) + value(posterior));
      texts.push(`${state.system}: ${quoted.join(", ")}${side === "summary" ? noSource(k, ", ") : ""}`);
    } else if (side === "summary") {
      texts.push(`${state.system}: ${noSource(k, "") || "no source"}`);
    } else {
      texts.push(`${state.system}: not used`);
    }
    if (data.unit && state.gold) {
      const sure = goldWords(links.gold, 2), possible = goldWords(links.gold, 1);
      const marked = [];
      if (sure.length) marked.push(quoteWords(other, sure));
      if (possible.length) marked.push(`possibly ${quoteWords(other, possible)}`);
      texts.push(`gold: ${marked.join(", ") || "nothing"}`);
    }
    return texts.join(" · ");
  }

  function paneOf(word) {
    return part(word.dataset.side);
  }

  function isVisible(word) {
    const box = word.getBoundingClientRect(), frame = paneOf(word).getBoundingClientRect();
    return box.bottom > frame.top && box.top < frame.bottom;
  }

  // Scroll the pane of a word until the word is in its upper third.
  function reveal(word) {
    const pane = paneOf(word);
    pane.scrollTop += word.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
  }

  // Draw a curve from a word to each linked word that is in view.
  function drawCurves(word, links) {
    const canvas = part("curves");
    canvas.replaceChildren();
    if (!isVisible(word)) return;
    const frame = canvas.getBoundingClientRect();
    const fromLeft = word.dataset.side === "summary";
    const draw = (j, className, strength) => {
      const target = words[otherSide(word.dataset.side)][j];
      if (!isVisible(target)) return;
      const from = word.getBoundingClientRect(), to = target.getBoundingClientRect();
      const stacked = from.left < to.right && to.left < from.right; // the panes are one above the other
      const x0 = (fromLeft ? from.right : from.left) - frame.left, x1 = (fromLeft ? to.left : to.right) - frame.left;
      const y0 = (from.top + from.bottom) / 2 - frame.top, y1 = (to.top + to.bottom) / 2 - frame.top;
      const bend = stacked ? 0 : (x1 - x0) / 2;
      const curve = document.createElementNS("http://www.w3.org/2000/svg", "path");
      curve.setAttribute("d", `M${x0},${y0} C${x0 + bend},${y0} ${x1 - bend},${y1} ${x1},${y1}`);
      curve.setAttribute("class", className);
      curve.style.setProperty("--hit", strength.toFixed(3));
      canvas.append(curve);
    };
    for (const j of links.gold.keys()) if (!links.system.has(j)) draw(j, "curve-gold", 1);
    for (const [j, posterior] of links.system) draw(j, "curve", posterior);
  }

  // ---- choosing a pair ---------------------------------------------------------------------------------

  function scoreOf(number) {
    const scores = index.pairs[number].scores;
    return scores && state.system in scores ? scores[state.system] : null;
  }

  function sortPairs() {
    order = index.pairs.map((_, number) => number);
    if (controls.order.value === "worst") {
      const value = (number) => scoreOf(number) ?? 2; // pairs without a score come last
      order.sort((x, y) => value(x) - value(y) || x - y);
    }
  }

  function showPosition() {
    const position = order.indexOf(state.pair) + 1;
    const score = scoreOf(state.pair);
    part("place").textContent = `${position} of ${order.length}` + (score === null ? "" : `, F ${score.toFixed(2)}`);
    part("previous").disabled = position <= 1;
    part("next").disabled = position >= order.length;
  }

  // Put the address of this view into the link beside the pair, and return it.
  function updateLink() {
    const parameters = new URLSearchParams({ pair: index.pairs[state.pair].id, system: state.system });
    if (state.threshold !== null) parameters.set("threshold", state.threshold.toFixed(2));
    if (!state.gold) parameters.set("gold", "0");
    if (state.only) parameters.set("only", "1");
    if (pinned && active) parameters.set("word", `${active.dataset.side}-${active.dataset.k}`);
    part("link").href = `#${parameters}`;
    return `#${parameters}`;
  }

  function updateAddress() {
    const address = updateLink();
    if (!framed) history.replaceState(null, "", address);
  }

  // Show a pair. Returns false if another pair was requested in the meantime.
  async function openPair(number, keepAddress = false) {
    state.pair = number;
    const request = ++requests;
    const unpacked = await unpackPair(packedPairs[number].textContent);
    if (request !== requests) return false;
    const focused = document.activeElement.closest ? document.activeElement.closest(".word") : null;
    data = unpacked;
    active = null;
    pinned = false;
    part("message").textContent = "";
    controls.search.value = index.pairs[number].id;
    fillPane("summary", data.s);
    fillPane("document", data.d);
    for (const name of ["gold", "only"]) controls[name].disabled = !data.unit;
    paint();
    showPosition();
    if (focused) {
      focusWord(words[focused.dataset.side].find((word) => !word.parentNode.hidden) || words.summary[0]);
    }
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
    const position = order.indexOf(state.pair) + by;
    if (position >= 0 && position < order.length) openPair(order[position]);
  }

  // Show the view that the address names. Returns false if the address does not name a pair of this page.
  async function followAddress() {
    const parameters = new URLSearchParams(location.hash.slice(1));
    if (!parameters.has("pair")) return false;
    const number = findPair(parameters.get("pair"));
    if (number < 0) return false;
    if (index.systems.includes(parameters.get("system"))) state.system = parameters.get("system");
    const threshold = Number(parameters.get("threshold"));
    state.threshold = parameters.has("threshold") && threshold >= 0 && threshold <= 1 ? threshold : null;
    state.gold = parameters.get("gold") !== "0";
    state.only = parameters.get("only") === "1";
    controls.system.value = state.system;
    controls.threshold.value = String(state.threshold ?? index.threshold);
    controls.gold.checked = state.gold;
    controls.only.checked = state.only;
    sortPairs();
    if (!(await openPair(number, true))) return true;
    const [side, k] = (parameters.get("word") || "").split("-");
    const word = side in words ? words[side][Number(k)] : undefined;
    if (word) {
      pinned = true;
      reveal(word);
      showWord(word);
      updateLink();
    }
    return true;
  }

  // ---- events ------------------------------------------------------------------------------------------

  function wordAt(event) {
    return event.target.closest ? event.target.closest(".word") : null;
  }

  function focusWord(word) {
    for (const stop of root.querySelectorAll('.word[tabindex="0"]')) {
      if (stop.dataset.side === word.dataset.side) stop.tabIndex = -1;
    }
    word.tabIndex = 0;
    word.focus({ preventScroll: true });
    if (!isVisible(word)) reveal(word);
  }

  function togglePin(word) {
    pinned = !(pinned && word === active);
    showWord(word);
    updateAddress();
  }

  function unpin() {
    pinned = false;
    showWord(null);
    updateAddress();
  }

  panes.addEventListener("mouseover", (event) => {
    const word = wordAt(event);
    if (word && !pinned) showWord(word);
  });
  panes.addEventListener("mouseleave", () => { if (!pinned) showWord(null); });
  panes.addEventListener("focusin", (event) => {
    const word = wordAt(event);
    if (word && !pinned) showWord(word);
  });
  panes.addEventListener("click", (event) => {
    const word = wordAt(event);
    if (word) { focusWord(word); togglePin(word); } else if (pinned) unpin();
  });
  panes.addEventListener("keydown", (event) => {
    const word = wordAt(event);
    if (!word) return;
    const side = words[word.dataset.side], k = Number(word.dataset.k);
    const targets = { ArrowRight: [k + 1, 1], ArrowLeft: [k - 1, -1], Home: [0, 1], End: [side.length - 1, -1] };
    if (event.key in targets) {
      let [to, by] = targets[event.key];
      while (side[to] && side[to].parentNode.hidden) to += by;
      if (side[to]) { pinned = false; focusWord(side[to]); }
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const neighbour = event.key === "ArrowDown" ? "nextElementSibling" : "previousElementSibling";
      let sentence = word.parentNode[neighbour];
      while (sentence && sentence.hidden) sentence = sentence[neighbour];
      if (sentence) { pinned = false; focusWord(sentence.querySelector(".word")); }
    } else if (event.key === "Enter" || event.key === " ") {
      togglePin(word);
    } else {
      return;
    }
    event.preventDefault();
  });

  function redrawCurves() {
    if (active) drawCurves(active, linksOf(active));
  }
  for (const side of ["summary", "document"]) {
    part(side).addEventListener("scroll", redrawCurves, { passive: true });
  }
  window.addEventListener("resize", redrawCurves);

  controls.system.addEventListener("change", () => {
    state.system = controls.system.value;
    sortPairs();
    showPosition();
    paint();
    updateAddress();
  });
  controls.threshold.addEventListener("input", () => {
    state.threshold = Number(controls.threshold.value);
    paint();
    updateAddress();
  });
  controls.reset.addEventListener("click", () => {
    state.threshold = null;
    controls.threshold.value = String(index.threshold);
    paint();
    updateAddress();
  });
  for (const name of ["gold", "only"]) {
    controls[name].addEventListener("change", () => {
      state[name] = controls[name].checked;
      paint();
      updateAddress();
    });
  }
  controls.order.addEventListener("change", () => { sortPairs(); openPair(order[0]); });
  controls.search.addEventListener("change", () => {
    const id = controls.search.value.trim();
    if (!id) controls.search.value = index.pairs[state.pair].id;
    const number = id ? findPair(id) : -1;
    if (number >= 0 && number !== state.pair) openPair(number);
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

  async function visitAddress() {
    await followAddress();
    root.scrollIntoView();
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
  controls.threshold.value = String(index.threshold);
  if (index.pairs.length) followAddress().then((followed) => { if (!followed) openPair(0, true); });
})();
