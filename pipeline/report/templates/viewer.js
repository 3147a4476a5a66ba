// The alignment viewer. All text of a corpus reaches the page as the text of a node, never as markup.
"use strict";

(() => {
  const root = document.querySelector(".viewer");
  if (!root) return;
  const index = JSON.parse(document.getElementById("index").textContent);
  const packed = document.querySelectorAll("script.pair");
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const panes = part("panes");
  const controls = {
    search: part("search"), order: part("order"), system: part("system"), threshold: part("threshold"),
    reset: part("reset"), gold: part("gold"), only: part("only"),
  };
  const state = { pair: 0, system: index.systems[0], threshold: null, gold: true, only: false };
  let order = index.pairs.map((_, number) => number);
  let data = null; // the pair that is shown
  let words = { summary: [], document: [] }; // their elements
  let marks = null; // the links that are shown, see collect()
  let active = null, pinned = false, scrolling = 0, opening = 0;
  const framed = location.protocol === "about:"; // in a notebook, where an address would be the notebook's

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  // ---- links -------------------------------------------------------------------------------------------

  // The word links of a phrase pair: its diagonal where both sides have equal words, else all pairs.
  function cells([a, b, c, d]) {
    const found = [];
    const side = (text, first, last) => text.w.slice(first, last).join(" ").toLowerCase();
    if (b - a === d - c && side(data.s, a, b) === side(data.d, c, d)) {
      for (let k = 0; k < b - a; k++) found.push([a + k, c + k]);
    } else {
      for (let i = a; i < b; i++) for (let j = c; j < d; j++) found.push([i, j]);
    }
    return found;
  }

  function add(map, key, other, value) {
    if (!map.has(key)) map.set(key, new Map());
    const row = map.get(key);
    if (!row.has(other) || row.get(other) < value) row.set(other, value);
  }

  // Word → linked words of the other side, with the posterior, 1 for a system that has none; null posteriors
  // of summary words; gold words, 2 where sure and 1 where possible.
  function collect() {
    const found = { summary: new Map(), document: new Map(), empty: new Map(), known: false };
    const gold = { summary: new Map(), document: new Map() };
    const [links, candidates] = data.systems[state.system] || [[], []];
    const shown = (p) => state.threshold === null || p === null || p >= state.threshold;
    for (const [a, b, c, d, p] of links) {
      if (p !== null) found.known = true;
      if (c < 0) {
        for (let i = a; i < b; i++) found.empty.set(i, p);
      } else if (shown(p)) {
        for (const [i, j] of cells([a, b, c, d])) {
          add(found.summary, i, j, p === null ? 1 : p);
          add(found.document, j, i, p === null ? 1 : p);
        }
      }
    }
    for (const [i, j, p] of state.threshold === null ? [] : candidates) {
      if (!shown(p)) continue;
      add(found.summary, i, j, p);
      add(found.document, j, i, p);
    }
    for (const [summary, document_, sure] of data.gold) {
      for (const [a, b] of summary) for (let i = a; i < b; i++) {
        for (const [c, d] of document_) for (let j = c; j < d; j++) {
          add(gold.summary, i, j, sure ? 2 : 1);
          add(gold.document, j, i, sure ? 2 : 1);
        }
      }
    }
    return { found, gold };
  }

  // What is the matter with a summary word: "wrong" (a link that the gold does not have), "missed" (a sure one
  // of the gold that is not there), or nothing. Gold in characters says where words come from, not which.
  function verdict(i) {
    if (!data.unit) return "";
    const mine = marks.found.summary.get(i) || new Map();
    const gold = marks.gold.summary.get(i) || new Map();
    if (data.unit === "char" && !gold.size) return "";
    if ([...mine.keys()].some((j) => !gold.has(j))) return "wrong";
    const sure = [...gold].filter(([, kind]) => kind === 2).map(([j]) => j);
    const there = sure.filter((j) => mine.has(j)).length;
    const enough = data.unit === "char" ? Math.min(1, sure.length) : sure.length;
    return there < enough ? "missed" : "";
  }

  // ---- drawing -----------------------------------------------------------------------------------------

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function fill(side, text) {
    const place = part(side);
    place.replaceChildren();
    words[side] = [];
    let first = 0;
    text.b.forEach((last, number) => {
      const sentence = element("p", "sentence");
      sentence.append(element("span", "number", String(number + 1)));
      for (let k = first; k < last; k++) {
        if (k > first && text.g[k] === "1") sentence.append(" ");
        const word = element("span", "word", text.w[k]);
        word.dataset.side = side;
        word.dataset.k = String(k);
        word.tabIndex = -1;
        word.setAttribute("role", "button");
        sentence.append(word);
        words[side].push(word);
      }
      place.append(sentence);
      first = last;
    });
    place.scrollTop = 0;
    if (words[side].length) words[side][0].tabIndex = 0;
  }

  function strongest(row) {
    return row && row.size ? Math.max(...row.values()) : 0;
  }

  function paint() {
    if (!data) return;
    marks = collect();
    const only = state.only && Boolean(data.unit); // without gold there is nothing to disagree with
    root.classList.toggle("only", only);
    for (const side of ["summary", "document"]) {
      words[side].forEach((word, k) => {
        const strength = strongest(marks.found[side].get(k));
        word.style.setProperty("--p", strength.toFixed(3));
        word.classList.toggle("linked", strength > 0);
        word.classList.toggle("null", side === "summary" && strength === 0);
        word.classList.toggle("in-gold", state.gold && marks.gold[side].has(k));
      });
    }
    let wrong = 0, missed = 0;
    words.summary.forEach((word, i) => {
      const what = verdict(i);
      wrong += what === "wrong";
      missed += what === "missed";
      word.classList.toggle("wrong", state.gold && what === "wrong");
      word.classList.toggle("missed", state.gold && what === "missed");
      word.classList.toggle("agrees", what === "");
    });
    for (const sentence of part("summary").children) {
      sentence.hidden = only && !sentence.querySelector(".word:not(.agrees)");
    }
    const stop = words.summary.find((word) => word.tabIndex === 0);
    if (stop && stop.parentNode.hidden) {
      const first = words.summary.find((word) => !word.parentNode.hidden);
      if (first) { stop.tabIndex = -1; first.tabIndex = 0; }
    }
    const linked = words.summary.filter((word) => word.classList.contains("linked")).length;
    const texts = [`${linked} of ${words.summary.length} summary words linked`];
    if (data.unit) texts.push(`${wrong} with a link that the gold has not, ${missed} with one missed`);
    part("status").textContent = texts.join("; ");
    controls.threshold.disabled = controls.reset.disabled = !marks.found.known;
    part("value").textContent = state.threshold === null ? "as decoded" : state.threshold.toFixed(2);
    show(active, false);
  }

  // ---- one word ----------------------------------------------------------------------------------------

  function other(side) {
    return side === "summary" ? "document" : "summary";
  }

  function clear() {
    for (const word of panes.querySelectorAll(".active, .hit, .gold-sure, .gold-possible")) {
      word.classList.remove("active", "hit", "gold-sure", "gold-possible");
    }
    part("curves").replaceChildren();
  }

  function show(word, scroll = true) {
    clearTimeout(scrolling);
    clear();
    active = word;
    if (!word) {
      part("detail").textContent = "Point at a word, or move with the arrow keys, to see what it is linked to.";
      return;
    }
    const side = word.dataset.side, k = Number(word.dataset.k);
    const found = marks.found[side].get(k) || new Map();
    const gold = (state.gold && marks.gold[side].get(k)) || new Map();
    word.classList.add("active");
    for (const [j, p] of found) {
      const target = words[other(side)][j];
      target.classList.add("hit");
      target.style.setProperty("--hit", p.toFixed(3));
    }
    for (const [j, kind] of gold) {
      words[other(side)][j].classList.add(kind === 2 ? "gold-sure" : "gold-possible");
    }
    part("detail").textContent = describe(side, k, found, gold);
    const targets = [...new Set([...found.keys(), ...gold.keys()])].map((j) => words[other(side)][j]);
    if (scroll && targets.length && !targets.some(visible)) {
      scrolling = setTimeout(() => { reveal(targets[0]); curves(word, found, gold); }, 200);
    }
    curves(word, found, gold);
  }

  function list(side, numbers) {
    return numbers.map((k) => `“${(side === "summary" ? data.s : data.d).w[k]}”`).join(" ");
  }

  function describe(side, k, found, gold) {
    const text = [`${list(side, [k])} (${side} word ${k})`];
    const sorted = [...found].sort((x, y) => x[0] - y[0]);
    if (sorted.length) {
      const posterior = (p) => (marks.found.known ? ` ${p.toFixed(2)}` : "");
      text.push(`${state.system}: ${sorted.map(([j, p]) => list(other(side), [j]) + posterior(p)).join(", ")}`);
    } else if (side === "summary") {
      const p = marks.found.empty.get(k);
      text.push(`${state.system}: null${p === undefined || p === null ? "" : ` ${p.toFixed(2)}`}`);
    } else {
      text.push(`${state.system}: not used`);
    }
    if (data.unit && state.gold) {
      const sure = [...gold].filter(([, kind]) => kind === 2).map(([j]) => j).sort((x, y) => x - y);
      const possible = [...gold].filter(([, kind]) => kind === 1).map(([j]) => j).sort((x, y) => x - y);
      const parts = [];
      if (sure.length) parts.push(list(other(side), sure));
      if (possible.length) parts.push(`possibly ${list(other(side), possible)}`);
      text.push(`gold: ${parts.join(", ") || "nothing"}`);
    }
    return text.join(" · ");
  }

  function pane(word) {
    return part(word.dataset.side);
  }

  function visible(word) {
    const box = word.getBoundingClientRect(), frame = pane(word).getBoundingClientRect();
    return box.bottom > frame.top && box.top < frame.bottom;
  }

  function reveal(word) {
    const frame = pane(word);
    frame.scrollTop += word.getBoundingClientRect().top - frame.getBoundingClientRect().top - frame.clientHeight / 3;
  }

  function curves(word, found, gold) {
    const place = part("curves");
    place.replaceChildren();
    if (!visible(word)) return;
    const frame = place.getBoundingClientRect();
    const left = word.dataset.side === "summary";
    const draw = (j, className, strength) => {
      const target = words[other(word.dataset.side)][j];
      if (!visible(target)) return;
      const from = word.getBoundingClientRect(), to = target.getBoundingClientRect();
      const stacked = from.left < to.right && to.left < from.right;
      const x0 = (left ? from.right : from.left) - frame.left, x1 = (left ? to.left : to.right) - frame.left;
      const y0 = (from.top + from.bottom) / 2 - frame.top, y1 = (to.top + to.bottom) / 2 - frame.top;
      const bend = stacked ? 0 : (x1 - x0) / 2;
      const curve = document.createElementNS("http://www.w3.org/2000/svg", "path");
      curve.setAttribute("d", `M${x0},${y0} C${x0 + bend},${y0} ${x1 - bend},${y1} ${x1},${y1}`);
      curve.setAttribute("class", className);
      curve.style.setProperty("--hit", strength.toFixed(3));
      place.append(curve);
    };
    for (const j of gold.keys()) if (!found.has(j)) draw(j, "curve-gold", 1);
    for (const [j, p] of found) draw(j, "curve", p);
  }

  // ---- choosing ----------------------------------------------------------------------------------------

  function score(number) {
    const scores = index.pairs[number].scores;
    return scores && state.system in scores ? scores[state.system] : null;
  }

  function arrange() {
    order = index.pairs.map((_, number) => number);
    if (controls.order.value === "worst") {
      const value = (number) => { const f = score(number); return f === null ? 2 : f; };
      order.sort((x, y) => value(x) - value(y) || x - y);
    }
  }

  function position() {
    const place = order.indexOf(state.pair) + 1;
    const f = score(state.pair);
    part("place").textContent = `${place} of ${order.length}` + (f === null ? "" : `, F ${f.toFixed(2)}`);
    part("previous").disabled = place <= 1;
    part("next").disabled = place >= order.length;
  }

  // The address of what is shown, in the link beside the pair.
  function address() {
    const parts = new URLSearchParams({ pair: index.pairs[state.pair].id, system: state.system });
    if (state.threshold !== null) parts.set("threshold", state.threshold.toFixed(2));
    if (!state.gold) parts.set("gold", "0");
    if (state.only) parts.set("only", "1");
    if (pinned && active) parts.set("word", `${active.dataset.side}-${active.dataset.k}`);
    part("link").href = `#${parts}`;
    return `#${parts}`;
  }

  function remember() {
    const here = address();
    if (!framed) history.replaceState(null, "", here);
  }

  // Show a pair; false where another one was asked for meanwhile.
  async function open(number, keep = false) {
    state.pair = number;
    const asked = ++opening;
    const got = await unpack(packed[number].textContent);
    if (asked !== opening) return false;
    const focused = document.activeElement.closest ? document.activeElement.closest(".word") : null;
    data = got;
    active = null;
    pinned = false;
    part("message").textContent = "";
    controls.search.value = index.pairs[number].id;
    fill("summary", data.s);
    fill("document", data.d);
    for (const name of ["gold", "only"]) controls[name].disabled = !data.unit;
    paint();
    position();
    if (focused) focus(words[focused.dataset.side].find((word) => !word.parentNode.hidden) || words.summary[0]);
    if (keep) address();
    else remember();
    return true;
  }

  function find(id) {
    const number = index.pairs.findIndex((pair) => pair.id === id);
    part("message").textContent = number < 0 ? `There is no pair ${id} here.` : "";
    return number;
  }

  function step(by) {
    const place = order.indexOf(state.pair) + by;
    if (place >= 0 && place < order.length) open(order[place]);
  }

  async function follow() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (!wanted.has("pair")) return false;
    const number = find(wanted.get("pair"));
    if (number < 0) return false;
    if (index.systems.includes(wanted.get("system"))) state.system = wanted.get("system");
    const threshold = Number(wanted.get("threshold"));
    state.threshold = wanted.has("threshold") && threshold >= 0 && threshold <= 1 ? threshold : null;
    state.gold = wanted.get("gold") !== "0";
    state.only = wanted.get("only") === "1";
    controls.system.value = state.system;
    controls.threshold.value = String(state.threshold === null ? index.threshold : state.threshold);
    controls.gold.checked = state.gold;
    controls.only.checked = state.only;
    arrange();
    if (!(await open(number, true))) return true;
    const [side, k] = (wanted.get("word") || "").split("-");
    if (side in words && words[side][Number(k)]) {
      pinned = true;
      reveal(words[side][Number(k)]);
      show(words[side][Number(k)]);
      address();
    }
    return true;
  }

  // ---- events ------------------------------------------------------------------------------------------

  function wordOf(event) {
    return event.target.closest ? event.target.closest(".word") : null;
  }

  function focus(word) {
    for (const one of root.querySelectorAll('.word[tabindex="0"]')) {
      if (one.dataset.side === word.dataset.side) one.tabIndex = -1;
    }
    word.tabIndex = 0;
    word.focus({ preventScroll: true });
    if (!visible(word)) reveal(word);
  }

  function pin(word) {
    pinned = !(pinned && word === active);
    show(word);
    remember();
  }

  panes.addEventListener("mouseover", (event) => {
    const word = wordOf(event);
    if (word && !pinned) show(word);
  });
  panes.addEventListener("mouseleave", () => { if (!pinned) show(null); });
  panes.addEventListener("focusin", (event) => {
    const word = wordOf(event);
    if (word && !pinned) show(word);
  });
  panes.addEventListener("click", (event) => {
    const word = wordOf(event);
    if (word) { focus(word); pin(word); } else if (pinned) { pinned = false; show(null); remember(); }
  });
  panes.addEventListener("keydown", (event) => {
    const word = wordOf(event);
    if (!word) return;
    const side = words[word.dataset.side], k = Number(word.dataset.k);
    const moves = { ArrowRight: [k + 1, 1], ArrowLeft: [k - 1, -1], Home: [0, 1], End: [side.length - 1, -1] };
    if (event.key in moves) {
      let [to, by] = moves[event.key];
      while (side[to] && side[to].parentNode.hidden) to += by;
      if (side[to]) { pinned = false; focus(side[to]); }
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const beside = event.key === "ArrowDown" ? "nextElementSibling" : "previousElementSibling";
      let sentence = word.parentNode[beside];
      while (sentence && sentence.hidden) sentence = sentence[beside];
      if (sentence) { pinned = false; focus(sentence.querySelector(".word")); }
    } else if (event.key === "Enter" || event.key === " ") {
      pin(word);
    } else {
      return;
    }
    event.preventDefault();
  });
  for (const side of ["summary", "document"]) {
    part(side).addEventListener("scroll", () => { if (active) redraw(); }, { passive: true });
  }
  window.addEventListener("resize", () => { if (active) redraw(); });

  function redraw() {
    const side = active.dataset.side, k = Number(active.dataset.k);
    const gold = (state.gold && marks.gold[side].get(k)) || new Map();
    curves(active, marks.found[side].get(k) || new Map(), gold);
  }

  controls.system.addEventListener("change", () => {
    state.system = controls.system.value;
    arrange();
    position();
    paint();
    remember();
  });
  controls.threshold.addEventListener("input", () => {
    state.threshold = Number(controls.threshold.value);
    paint();
    remember();
  });
  controls.reset.addEventListener("click", () => {
    state.threshold = null;
    controls.threshold.value = String(index.threshold);
    paint();
    remember();
  });
  for (const name of ["gold", "only"]) {
    controls[name].addEventListener("change", () => {
      state[name] = controls[name].checked;
      paint();
      remember();
    });
  }
  controls.order.addEventListener("change", () => { arrange(); open(order[0]); });
  controls.search.addEventListener("change", () => {
    const id = controls.search.value.trim();
    if (!id) controls.search.value = index.pairs[state.pair].id;
    const number = id ? find(id) : -1;
    if (number >= 0 && number !== state.pair) open(number);
  });
  part("previous").addEventListener("click", () => step(-1));
  part("next").addEventListener("click", () => step(1));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === "Escape" && pinned) { pinned = false; show(null); remember(); }
    else if (event.key === "n") step(1);
    else if (event.key === "p") step(-1);
    else if (event.key === "/") { event.preventDefault(); controls.search.select(); controls.search.focus(); }
  });
  async function visit() {
    await follow();
    root.scrollIntoView();
  }
  // Other addresses are those of the sections of the page.
  window.addEventListener("hashchange", () => {
    if (new URLSearchParams(location.hash.slice(1)).has("pair")) visit();
  });
  // Links to pairs lead there when pressed again too, and where the pair is not among those of the viewer.
  document.addEventListener("click", (event) => {
    const link = event.target.closest ? event.target.closest('a[href^="#pair="]') : null;
    if (!link) return;
    event.preventDefault();
    if (location.hash === link.hash) visit();
    else location.hash = link.hash;
  });

  part("link").hidden = framed;
  controls.threshold.value = String(index.threshold);
  if (index.pairs.length) follow().then((found) => { if (!found) open(0, true); });
})();
