// The view of alignments: marks words by the links of a system and of the gold, and says what a word is linked to.
// With a second system, the summary stands there twice: the pane "summary" shows the links of the first system, the
// pane "rival" those of the second.
"use strict";

// The numbers of a system on a pair, in the order of PairNumbers in pipeline/vorlage/views/viewer.py.
const [DOUBT, WITHOUT, LOWEST, DISAGREEMENTS] = [0, 1, 2, 3];

function alignmentView({ root, index, part, words, makeElement, repaint, updateAddress, chooseAmong }) {
  const names = ["system", "rival-system", "threshold", "reset", "gold", "only", "below"];
  const controls = Object.fromEntries(names.map((name) => [name, part(name)]));
  const state = { system: index.systems[0], rival: "", threshold: null, gold: true, only: "", below: 0.5 };
  let data = null; // the pair that is shown
  let shown = null; // the links that are shown: of the panes { summary, rival }, and { gold, differing }

  function open(pair) {
    data = pair;
    controls.gold.disabled = !data.unit;
    part("stretches").hidden = !Object.values(data.systems).some(([, , , stretches]) => stretches?.length);
    part("rival-pane").hidden = !state.rival;
    part("panes").classList.toggle("comparing", Boolean(state.rival));
    part("summary-title").textContent = state.rival ? `Summary by ${state.system}` : "Summary";
    part("rival-title").textContent = `Summary by ${state.rival}`;
  }

  // Return the systems that are shown, by the pane of the summary that shows them.
  function systems() {
    return { summary: state.system, ...(state.rival && { rival: state.rival }) };
  }

  function makeWord(side, k, text) {
    const word = makeElement("span", "word stop", text);
    word.setAttribute("role", "button");
    return word;
  }

  function largestValue(row) {
    return row && row.size ? Math.max(...row.values()) : 0;
  }

  // Return the summary words whose links differ between the two systems.
  function differingWords(pair) {
    const [first, second] = [state.system, state.rival].map((system) => systemLinks(pair, system, state.threshold).summary);
    const linked = (links, i) => [...(links.get(i) || new Map()).keys()].sort().join();
    return new Set(pair.s.w.map((_, i) => i).filter((i) => state.rival && linked(first, i) !== linked(second, i)));
  }

  // Return the summary words that "only" asks for, or null if it asks for nothing that this pair has.
  function pickedWords() {
    const picked = words.summary.map((_, i) => i).filter((i) => {
      if (state.only === "without") return !shown.summary.summary.has(i);
      if (state.only === "gold") return verdict(data.unit, shown.summary, shown.gold, i) !== "";
      if (state.only === "differ") return shown.differing.has(i);
      const isBelow = ([first, end, , , posterior]) => (
        first <= i && i < end && posterior !== null && posterior < state.below
      );
      return state.only === "below" && (data.systems[state.system] || [[]])[0].some(isBelow);
    });
    return picked.length ? new Set(picked) : null;
  }

  // Mark the words of a summary by the links of its system. Returns the counts, as a text.
  function paintSummary(side, system, picked) {
    const links = shown[side];
    let wrong = 0, missed = 0;
    words[side].forEach((word, i) => {
      const strength = largestValue(links.summary.get(i)), result = verdict(data.unit, links, shown.gold, i);
      word.style.setProperty("--p", strength.toFixed(3));
      word.classList.toggle("linked", strength > 0);
      word.classList.toggle("null", strength === 0);
      wrong += result === "wrong";
      missed += result === "missed";
      word.classList.toggle("wrong", state.gold && result === "wrong");
      word.classList.toggle("missed", state.gold && result === "missed");
      word.classList.toggle("differing", shown.differing.has(i));
      word.classList.toggle("aside", picked !== null && !picked.has(i));
    });
    for (const sentence of part(side).children) {
      sentence.hidden = picked !== null && !sentence.querySelector(".word:not(.aside)");
    }
    const linked = words[side].filter((word) => word.classList.contains("linked")).length;
    const name = state.rival ? `${system}: ` : "";
    const byGold = data.unit ? `; by the gold, ${wrong} wrong and ${missed} missed` : "";
    return `${name}${linked} of ${words[side].length} summary words linked${byGold}`;
  }

  // Mark every word by its links. Returns the line of the counts.
  function paint() {
    shown = { gold: goldLinks(data), differing: differingWords(data) };
    for (const [side, system] of Object.entries(systems())) shown[side] = systemLinks(data, system, state.threshold);
    words.document.forEach((word, k) => {
      const [strength, rival] = [shown.summary, shown.rival].map((links) => largestValue(links && links.document.get(k)));
      word.style.setProperty("--p", Math.max(strength, rival).toFixed(3));
      word.classList.toggle("linked", strength > 0);
      word.classList.toggle("rival-linked", strength === 0 && rival > 0);
      word.classList.toggle("in-gold", state.gold && shown.gold.document.has(k));
    });
    const picked = pickedWords();
    root.classList.toggle("only", picked !== null);
    const texts = Object.entries(systems()).map(([side, system]) => paintSummary(side, system, picked));
    if (state.rival) texts.push(`${shown.differing.size} summary words differ`);
    controls.threshold.disabled = controls.reset.disabled = !(shown.summary.hasPosteriors || shown.rival?.hasPosteriors);
    part("value").textContent = state.threshold === null ? "as decoded" : state.threshold.toFixed(2);
    return texts.join(". ");
  }

  // ---- one word ----------------------------------------------------------------------------------------

  // Return the links of a word by the system of a pane: a map from the words of the other side to values.
  function linksOf(word, pane) {
    const side = word.dataset.side === "document" ? "document" : "summary";
    return shown[pane][side].get(Number(word.dataset.k)) || new Map();
  }

  function goldOf(word) {
    return (state.gold && linksOf(word, "gold")) || new Map();
  }

  // Return the marks of the stretch that a word is in, on both sides.
  function stretchMarks(word) {
    const k = Number(word.dataset.k), fromDocument = word.dataset.side === "document";
    const spans = ([first, end, start, stop]) => (fromDocument ? [start, stop] : [first, end]);
    return Object.entries(systems()).flatMap(([pane, system]) => {
      if (!fromDocument && pane !== word.dataset.side) return [];
      const stretches = (data.systems[system]?.[3] || []).filter((stretch) => spans(stretch)[0] <= k && k < spans(stretch)[1]);
      return stretches.flatMap(([first, end, start, stop]) => [[pane, first, end], ["document", start, stop]]);
    }).flatMap(([side, first, end]) => words[side].slice(first, end).map((_, i) => (
      { k: first + i, side, name: "in-stretch", curve: null }
    )));
  }

  function marksOf(word) {
    const fromDocument = word.dataset.side === "document";
    const marks = Object.keys(systems()).flatMap((pane) => {
      const isOwn = fromDocument || pane === word.dataset.side; // a word of a summary has the curves of its own system
      const name = fromDocument || pane === "summary" ? "hit" : "rival-hit";
      return [...linksOf(word, pane)].map(([k, strength]) => (
        { k, side: fromDocument ? pane : "document", name, strength, curve: isOwn ? "curve" : null }
      ));
    });
    const linked = new Set(marks.filter((mark) => mark.curve).map((mark) => mark.k));
    const gold = [...goldOf(word)].map(([k, kind]) => (
      { k, name: kind === 2 ? "gold-sure" : "gold-possible", curve: linked.has(k) ? null : "curve-gold" }
    ));
    return [...marks, ...gold, ...stretchMarks(word)];
  }

  function groupOf(word) {
    const { side, k } = word.dataset;
    return side === "document" || !state.rival ? [word] : [word, words[side === "rival" ? "summary" : "rival"][k]];
  }

  function quoteWords(side, numbers) {
    return numbers.map((k) => `“${(side === "document" ? data.d : data.s).w[k]}”`).join(" ");
  }

  // Say what a system links a word to, or how probable it is that a summary word has no source, if the system tells.
  function describeLinks(word, pane, system) {
    const isSummary = word.dataset.side !== "document", links = shown[pane];
    const posterior = isSummary ? links.nulls.get(Number(word.dataset.k)) ?? null : null;
    const noSource = posterior === null ? [] : [`no source ${posterior.toFixed(2)}`];
    const value = (found) => (links.hasPosteriors ? ` ${found.toFixed(2)}` : "");
    const found = [...linksOf(word, pane)].sort((x, y) => x[0] - y[0]);
    const quoted = found.map(([k, strength]) => quoteWords(isSummary ? "document" : "summary", [k]) + value(strength));
    return `${system}: ${[...quoted, ...noSource].join(", ") || (isSummary ? "no source" : "not used")}`;
  }

  function describe(word) {
    const isSummary = word.dataset.side !== "document", side = isSummary ? "summary" : "document";
    const other = isSummary ? "document" : "summary", k = Number(word.dataset.k);
    const texts = [`${quoteWords(side, [k])} (${side} word ${k})`];
    for (const [pane, system] of Object.entries(systems())) texts.push(describeLinks(word, pane, system));
    if (data.unit && state.gold) {
      const sure = goldWords(goldOf(word), 2), possible = goldWords(goldOf(word), 1);
      const marked = [];
      if (sure.length) marked.push(quoteWords(other, sure));
      if (possible.length) marked.push(`possibly ${quoteWords(other, possible)}`);
      texts.push(`gold: ${marked.join(", ") || "nothing"}`);
    }
    return [texts.join(" · ")];
  }

  // ---- files and citations -----------------------------------------------------------------------------

  function cite(stops) {
    const side = stops[0].dataset.side === "document" ? "document" : "summary";
    return citeAlignment(data, shown, systems(), side, stops.map((stop) => Number(stop.dataset.k)));
  }

  function rows() {
    const seen = words.summary.filter((word) => !(root.classList.contains("only") && word.classList.contains("aside")));
    return alignmentRows(data, shown, systems(), state.gold && data.unit, seen.map((word) => Number(word.dataset.k)));
  }

  // ---- the list of pairs -------------------------------------------------------------------------------

  function scoreOf({ scores }) {
    return scores && state.system in scores ? scores[state.system] : null;
  }

  function numbersOf(pair) {
    return pair.numbers[index.systems.indexOf(state.system)] || [null, 0, null, 0];
  }

  function doubtOf(pair) {
    return numbersOf(pair)[DOUBT];
  }

  // Return whether a pair has words that "only" asks for, by the links as decoded.
  function keeps(pair) {
    const numbers = numbersOf(pair);
    switch (state.only) {
      case "without": return numbers[WITHOUT] > 0;
      case "below": return numbers[LOWEST] !== null && numbers[LOWEST] < state.below;
      case "gold": return numbers[DISAGREEMENTS] > 0;
    }
    return true;
  }

  function searched() {
    return state.only === "differ" && state.rival ? (pair) => differingWords(pair).size > 0 : null;
  }

  // ---- settings of the view ----------------------------------------------------------------------------

  // Return the settings as parameters of the address.
  function parameters() {
    return {
      system: state.system,
      ...(state.rival && { rival: state.rival }),
      ...(state.threshold !== null && { threshold: state.threshold.toFixed(2) }),
      ...(!state.gold && { gold: "0" }),
      ...(state.only && { only: state.only }),
      ...(state.only === "below" && { below: state.below.toFixed(2) }),
    };
  }

  // Take the settings from the parameters of the address.
  function follow(given) {
    if (index.systems.includes(given.get("system"))) state.system = given.get("system");
    state.rival = index.systems.includes(given.get("rival")) ? given.get("rival") : "";
    const threshold = Number(given.get("threshold"));
    state.threshold = given.has("threshold") && threshold >= 0 && threshold <= 1 ? threshold : null;
    state.gold = given.get("gold") !== "0";
    state.only = [...controls.only.options].some(({ value }) => value === given.get("only")) ? given.get("only") : "";
    if (given.has("below") && Number(given.get("below")) >= 0) state.below = Number(given.get("below"));
    controls.threshold.value = String(state.threshold ?? index.threshold);
    controls.gold.checked = state.gold;
    showChoices();
  }

  // Put the choices of systems and words into their controls.
  function showChoices() {
    for (const option of controls["rival-system"].options) option.disabled = option.value === state.system;
    if (state.rival === state.system) state.rival = "";
    for (const option of controls.only.options) {
      if (option.value === "differ") option.hidden = option.disabled = !state.rival;
    }
    if (state.only === "differ" && !state.rival) state.only = "";
    controls.system.value = state.system;
    controls["rival-system"].value = state.rival;
    controls.only.value = state.only;
    controls.below.value = state.below.toFixed(2);
    controls.below.hidden = state.only !== "below";
  }

  function change(setting) {
    Object.assign(state, setting);
    repaint();
    updateAddress();
  }

  // Take a setting that decides which pairs are listed.
  function choose(setting) {
    Object.assign(state, setting);
    showChoices();
    chooseAmong();
  }

  controls.system.addEventListener("change", () => choose({ system: controls.system.value }));
  controls["rival-system"].addEventListener("change", () => choose({ rival: controls["rival-system"].value }));
  controls.only.addEventListener("change", () => choose({ only: controls.only.value }));
  controls.below.addEventListener("change", () => {
    choose({ below: Math.min(1, Math.max(0, Number(controls.below.value) || 0)) });
  });
  controls.threshold.addEventListener("input", () => change({ threshold: Number(controls.threshold.value) }));
  controls.reset.addEventListener("click", () => {
    controls.threshold.value = String(index.threshold);
    change({ threshold: null });
  });
  controls.gold.addEventListener("change", () => change({ gold: controls.gold.checked }));
  controls.threshold.value = String(index.threshold);
  showChoices();

  const hint = "Point at a word to see what it is linked to.";
  const rivalText = () => (state.rival ? data.s : { w: [], g: "", b: [] });
  const settings = { scoreOf, doubtOf, keeps, searched, parameters, follow, cite, rows };
  return { hint, inGutter: false, open, makeWord, rivalText, paint, groupOf, marksOf, describe, ...settings };
}
