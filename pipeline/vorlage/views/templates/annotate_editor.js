// The pair that is open on the annotation page: turns actions into changes of its links, and shows them.
//
// pair: see annotate_saving.js.
"use strict";

// `changed` is called after each change that the annotator makes.
function makeEditor(part, changed) {
  const sides = {
    summary: makeSide(part("summary"), "summary", selected),
    document: makeSide(part("document"), "document", selected),
  };
  let pair = null, activeSide = "summary", asked = null; // the work about whose undecided words F has asked

  const count = () => pair.data.s.w.length;
  const quote = (side, span) => quoteWords(pair.data, side, span);
  const say = (text) => { part("detail").textContent = text; };

  // ---- changes -----------------------------------------------------------------------------------------

  function change(work, text) {
    pair.undo.push(pair.work);
    pair.redo = [];
    setWork(work, text);
  }

  function setWork(work, text) {
    pair.work = { ...work, seconds: pair.work.seconds };
    pair.touched = true;
    paint();
    say(text);
    changed();
  }

  function stepBack(from, to, text) {
    if (!from.length) return;
    to.push(pair.work);
    setWork(from.pop(), text);
  }

  function link(sure, each) {
    const summary = sides.summary.span, documentSpan = sides.document.span;
    if (!summary || !documentSpan) {
      say(`Select words of the ${summary ? "document" : "summary"} too; Tab changes sides.`);
      return;
    }
    const links = linkSpans(pair.data, summary, documentSpan, sure, each);
    if (!links) { say("Word by word needs as many words on both sides."); return; }
    const how = links.length > 1 ? `, ${links.length} words one to one` : "";
    const text = `Linked ${quote("summary", summary)} to ${quote("document", documentSpan)}, ${sure ? "sure" : "possible"}${how}.`;
    change(addLinks(pair.work, links, count()), text);
    advance(documentSpan[1]);
  }

  function noSource() {
    const { span } = sides.summary;
    if (!span) { say("Select words of the summary first."); return; }
    change(markNull(pair.work, span, count()), `${quote("summary", span)} has no source.`);
    advance(null);
  }

  function remove() {
    const { span } = sides[activeSide];
    if (!span) { say("Select the words whose links you want to remove."); return; }
    change(removeSpan(pair.work, activeSide, span, count()), `Removed what was marked at ${quote(activeSide, span)}.`);
  }

  // Go on with the next undecided summary word; the document's cursor waits behind what was linked.
  function advance(documentWord) {
    const done = part("detail").textContent;
    sides.document.clear();
    if (documentWord !== null) sides.document.place(documentWord);
    const left = undecidedWords(pair.work, count());
    const next = left.find((word) => word >= sides.summary.span[1]) ?? left[0];
    if (next === undefined) say(`${done} Every word is decided: F finishes the pair.`);
    else {
      sides.summary.select(next);
      say(`${done} Next: ${part("detail").textContent}`);
    }
    sides.summary.focusCursor();
  }

  function match() {
    const { span } = sides.summary;
    if (!span) { say("Select words of the summary first."); return; }
    const from = sides.document.span ? sides.document.span[0] : sides.document.cursor - 1;
    const place = findMatch(pair.data, span, from);
    if (!place) { say(`The document does not have ${quote("summary", span)}.`); return; }
    sides.document.selectSpan(place);
    say(`Document word ${place[0] + 1}: ${quote("document", place)}`);
  }

  // Begin with the links of a system, or with those that two annotators agree on.
  function begin(name) {
    const start = pair.data.starts.find((other) => other.name === name);
    if (start) change(startWork(pair.work, start, count()), `Started from ${name}; undo brings back what was there.`);
  }

  function differences() {
    const start = pair.data.starts.find(({ name }) => name === pair.work.start);
    return (start ? start.differences : []).map(([summary, documentSpan, sure, note]) => {
      const found = { summary, document: documentSpan, sure };
      return { link: found, note, taken: pair.work.links.some((other) => sameLink(other, found) && other.sure === sure) };
    });
  }

  function nextDifference() {
    const all = differences();
    const step = all.map((_, k) => ((pair.difference ?? -1) + 1 + k) % all.length).find((k) => !all[k].taken);
    if (step === undefined) { say("No difference is left."); return; }
    const { link: shown, note } = all[step];
    pair.difference = step;
    showLink(shown);
    sides.summary.focusCursor();
    say(`Difference ${step + 1} of ${all.length}: ${quote("summary", shown.summary)} ← ${quote("document", shown.document)} · ${note}`);
  }

  // Finish the pair; return whether it is finished. Undecided words are asked about once.
  function finish() {
    const left = undecidedWords(pair.work, count()).length;
    if (left && asked !== pair.work) {
      asked = pair.work;
      say(`${left} ${left === 1 ? "word is" : "words are"} undecided. Press F again if ${left === 1 ? "it has" : "they have"} no source.`);
      return false;
    }
    change(finishWork(pair.work, count()), "Finished.");
    return true;
  }

  // Take the version of another tab or program; undo brings this one back.
  function takeOther(line) {
    change(line ? fromLine(line, count()) : emptyWork(), "Took the other version; undo brings yours back.");
  }

  // ---- showing -----------------------------------------------------------------------------------------

  function showLink(shown) {
    sides.document.selectSpan(shown.document);
    sides.summary.selectSpan(shown.summary);
    selected("summary");
  }

  function paint() {
    const { data, work } = pair;
    paintWords(pair, sides);
    listLinks(part("links"), data, work.links.map((shown) => ({
      link: shown, note: shown.sure ? "sure" : "possible", action: "remove", disabled: false,
      act: () => change(removeLink(pair.work, shown, count()), "Removed the link."),
    })), showLink);
    listLinks(part("differences"), data, differences().map(({ link: shown, note, taken }) => ({
      link: shown, note: taken ? `${note} · taken` : note, action: "take", disabled: taken,
      act: () => change(addLinks(pair.work, [shown], count()), "Took the link."),
    })), showLink);
    part("differences-box").hidden = !part("differences").children.length;
    const left = undecidedWords(work, count()).length;
    part("left").textContent = work.finished ? "finished" : `${left} of ${count()} summary words undecided`;
    part("undo").disabled = !pair.undo.length;
    part("redo").disabled = !pair.redo.length;
    redraw();
  }

  function redraw() {
    return pair ? markLinked(pair, sides, activeSide, part("curves")) : [];
  }

  function selected(side) {
    activeSide = side;
    const own = redraw(), { span } = sides[side];
    const states = new Set(spanWords(span).map((k) => describeWord(pair, side, k, own)).filter(Boolean));
    say([quote(side, span), ...states].join(" · "));
  }

  function clear() {
    sides[activeSide].clear();
    redraw();
  }

  function open(opened) {
    pair = opened;
    activeSide = "summary";
    sides.summary.fill(pair.data.s);
    sides.document.fill(pair.data.d);
    sides.summary.select(undecidedWords(pair.work, count())[0] ?? 0);
    paint();
    focus();
  }

  function focus() {
    sides.summary.focusCursor();
  }

  for (const side of ["summary", "document"]) part(side).addEventListener("scroll", redraw, { passive: true });
  window.addEventListener("resize", redraw);
  const actions = {
    sure: () => link(true, false), possible: () => link(false, false), each: () => link(true, true),
    "no-source": noSource, remove, match, longer: () => sides[activeSide].extend(), difference: nextDifference,
    undo: () => stepBack(pair.undo, pair.redo, "Undone."), redo: () => stepBack(pair.redo, pair.undo, "Done again."),
  };
  return { actions, open, close: () => { pair = null; }, begin, finish, takeOther, clear, focus, say, get pair() { return pair; } };
}
