// The view of alignments: marks words by the links of a system and of the gold, and says what a word is linked to.
"use strict";

function alignmentView({ root, index, part, words, makeElement, repaint, updateAddress, sortPairs }) {
  const controls = {
    system: part("system"), threshold: part("threshold"), reset: part("reset"), gold: part("gold"), only: part("only"),
  };
  const state = { system: index.systems[0], threshold: null, gold: true, only: false };
  let data = null; // the pair that is shown
  let shown = null; // the links that are shown: { system, gold }

  function open(pair) {
    data = pair;
    for (const name of ["gold", "only"]) controls[name].disabled = !data.unit;
  }

  function makeWord(side, k, text) {
    const word = makeElement("span", "word stop", text);
    word.setAttribute("role", "button");
    return word;
  }

  function largestValue(row) {
    return row && row.size ? Math.max(...row.values()) : 0;
  }

  // Mark every word by its links, and count disagreements with the gold. Returns the line of the counts.
  function paint() {
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
      word.classList.toggle("aside", result === "");
    });
    for (const sentence of part("summary").children) {
      sentence.hidden = only && !sentence.querySelector(".word:not(.aside)");
    }
    controls.threshold.disabled = controls.reset.disabled = !shown.system.hasPosteriors;
    part("value").textContent = state.threshold === null ? "as decoded" : state.threshold.toFixed(2);
    const linked = words.summary.filter((word) => word.classList.contains("linked")).length;
    const texts = [`${linked} of ${words.summary.length} summary words linked`];
    if (data.unit) texts.push(`by the gold, ${wrong} wrong and ${missed} missed`);
    return texts.join("; ");
  }

  // ---- one word ----------------------------------------------------------------------------------------

  // Return the links of a word to the other side: { system, gold }, maps from words to values.
  function linksOf(word) {
    const side = word.dataset.side, k = Number(word.dataset.k);
    return {
      system: shown.system[side].get(k) || new Map(),
      gold: (state.gold && shown.gold[side].get(k)) || new Map(),
    };
  }

  function marksOf(word) {
    const links = linksOf(word);
    const system = [...links.system].map(([k, strength]) => ({ k, name: "hit", strength, curve: "curve" }));
    const gold = [...links.gold].map(([k, kind]) => (
      { k, name: kind === 2 ? "gold-sure" : "gold-possible", curve: links.system.has(k) ? null : "curve-gold" }
    ));
    return [...system, ...gold];
  }

  function quoteWords(side, numbers) {
    return numbers.map((k) => `“${(side === "summary" ? data.s : data.d).w[k]}”`).join(" ");
  }

  // Say how probable it is that a summary word has no source; nothing for a system that does not tell.
  function noSource(k, before) {
    const posterior = shown.system.nulls.get(k) ?? null;
    return posterior === null ? "" : `${before}no source ${posterior.toFixed(2)}`;
  }

  function describe(word) {
    const links = linksOf(word), side = word.dataset.side, k = Number(word.dataset.k);
    const other = side === "summary" ? "document" : "summary";
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
    return [texts.join(" · ")];
  }

  // ---- settings of the view ----------------------------------------------------------------------------

  function scoreOf(scores) {
    return scores && state.system in scores ? scores[state.system] : null;
  }

  // Return the settings as parameters of the address.
  function parameters() {
    return {
      system: state.system,
      ...(state.threshold !== null && { threshold: state.threshold.toFixed(2) }),
      ...(!state.gold && { gold: "0" }),
      ...(state.only && { only: "1" }),
    };
  }

  // Take the settings from the parameters of the address.
  function follow(given) {
    if (index.systems.includes(given.get("system"))) state.system = given.get("system");
    const threshold = Number(given.get("threshold"));
    state.threshold = given.has("threshold") && threshold >= 0 && threshold <= 1 ? threshold : null;
    state.gold = given.get("gold") !== "0";
    state.only = given.get("only") === "1";
    controls.system.value = state.system;
    controls.threshold.value = String(state.threshold ?? index.threshold);
    controls.gold.checked = state.gold;
    controls.only.checked = state.only;
  }

  function change(setting) {
    Object.assign(state, setting);
    repaint();
    updateAddress();
  }

  controls.system.addEventListener("change", () => {
    state.system = controls.system.value;
    sortPairs();
    change({});
  });
  controls.threshold.addEventListener("input", () => change({ threshold: Number(controls.threshold.value) }));
  controls.reset.addEventListener("click", () => {
    controls.threshold.value = String(index.threshold);
    change({ threshold: null });
  });
  for (const name of ["gold", "only"]) {
    controls[name].addEventListener("change", () => change({ [name]: controls[name].checked }));
  }
  controls.threshold.value = String(index.threshold);

  const hint = "Point at a word, or move with the arrow keys, to see what it is linked to.";
  const groupOf = (word) => [word];
  const settings = { scoreOf, parameters, follow };
  return { hint, inGutter: false, open, makeWord, paint, groupOf, marksOf, describe, ...settings };
}
