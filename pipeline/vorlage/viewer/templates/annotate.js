// The annotation page: opens pairs, and turns keys and buttons into changes of their links.
//
// This file is long because its handlers share the state of one page: the annotator, the pairs, the one that is open.
// What needs no such state is in the other files.
"use strict";

(async () => {
  const root = document.getElementById("annotate");
  const config = JSON.parse(document.getElementById("config").textContent);
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const { storage, lasting } = openStorage();
  const store = config.app ? appStore() : diskStore(readPage(), storage, lasting);
  const sides = {
    summary: makeSide(part("summary"), "summary", selected),
    document: makeSide(part("document"), "document", selected),
  };
  const opened = new Map(); // id → pair, see annotate_saving.js; pairs stay open for undo and for saves that failed
  const saver = makeSaver(store, config.app ? storage : null, config.digest, opened, lineOf, {
    show: (text, kind) => { part("saved").textContent = text; part("saved").className = `saved ${kind}`; },
    saved: (pair) => { if (!current?.refused) complain(""); refreshProgress(pair); refreshAgreement(); },
    failed: (text) => { if (!current?.refused) complain(text); },
    refused: (pair) => { if (pair === current) showRefusal(); },
  });
  const IDLE_AFTER = 60000; // milliseconds without a key or a click, after which the clock stands still
  let annotator = "", index = null, order = [], current = null, activeSide = "summary";
  let lastActivity = Date.now(), requests = 0;

  function readPage() {
    const pairs = [...document.querySelectorAll("script.pair")].map((script) => JSON.parse(script.textContent));
    return { ...config, pairs: new Map(pairs.map((pair) => [pair.id, pair])) };
  }

  function lineOf(pair) {
    return toLine(pair.id, annotator, pair.work);
  }

  const count = () => current.data.s.w.length;
  const quote = (side, span) => quoteWords(current.data, side, span);
  const say = (text) => { part("detail").textContent = text; };

  function complain(text) {
    part("message").textContent = text;
    part("refused").hidden = true;
  }

  // ---- changes -----------------------------------------------------------------------------------------

  function change(work, text) {
    current.undo.push(current.work);
    current.redo = [];
    setWork(work, text);
  }

  function setWork(work, text) {
    current.work = { ...work, seconds: current.work.seconds };
    current.touched = true;
    paint();
    say(text);
    saver.plan();
  }

  function stepBack(from, to, text) {
    if (!from.length) return;
    to.push(current.work);
    setWork(from.pop(), text);
  }

  function link(sure, each) {
    const summary = sides.summary.span, documentSpan = sides.document.span;
    if (!summary || !documentSpan) {
      say(`Select words of the ${summary ? "document" : "summary"} too; Tab changes sides.`);
      return;
    }
    const links = linkSpans(current.data, summary, documentSpan, sure, each);
    if (!links) { say("Word by word needs as many words on both sides."); return; }
    const how = links.length > 1 ? `, ${links.length} words one to one` : "";
    const text = `Linked ${quote("summary", summary)} to ${quote("document", documentSpan)}, ${sure ? "sure" : "possible"}${how}.`;
    change(addLinks(current.work, links, count()), text);
    advance(documentSpan[1]);
  }

  function noSource() {
    const { span } = sides.summary;
    if (!span) { say("Select words of the summary first."); return; }
    change(markNull(current.work, span, count()), `${quote("summary", span)} has no source.`);
    advance(null);
  }

  function remove() {
    const { span } = sides[activeSide];
    if (!span) { say("Select the words whose links you want to remove."); return; }
    change(removeSpan(current.work, activeSide, span, count()), `Removed what was marked at ${quote(activeSide, span)}.`);
  }

  // Go on with the next undecided summary word; the document's cursor waits behind what was linked.
  function advance(documentWord) {
    const done = part("detail").textContent;
    sides.document.clear();
    if (documentWord !== null) sides.document.place(documentWord);
    const left = undecidedWords(current.work, count());
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
    const found = findMatch(current.data, span, from);
    if (!found) { say(`The document does not have ${quote("summary", span)}.`); return; }
    sides.document.selectSpan(found);
    say(`Document word ${found[0] + 1}: ${quote("document", found)}`);
  }

  function differencesHere() {
    const start = current.data.starts.find(({ name }) => name === current.work.start);
    return (start ? start.differences : []).map(([summary, documentSpan, sure, note]) => {
      const link = { summary, document: documentSpan, sure };
      return { link, note, taken: current.work.links.some((other) => sameLink(other, link) && other.sure === sure) };
    });
  }

  function nextDifference() {
    const all = differencesHere();
    const step = all.map((_, k) => ((current.difference ?? -1) + 1 + k) % all.length).find((k) => !all[k].taken);
    if (step === undefined) { say("No difference is left."); return; }
    const { link: found, note } = all[step];
    current.difference = step;
    showLink(found);
    sides.summary.focusCursor();
    say(`Difference ${step + 1} of ${all.length}: ${quote("summary", found.summary)} ← ${quote("document", found.document)} · ${note}`);
  }

  async function finish() {
    const pair = current, left = undecidedWords(pair.work, count()).length;
    change(finishWork(pair.work, count()), `Finished; ${left} undecided words count as having no source.`);
    await saver.saveAll();
    if (current !== pair || saver.isUnsaved(pair)) return;
    const at = order.indexOf(numberOf(pair.id));
    const next = [...order.slice(at + 1), ...order.slice(0, at)].find((number) => !index.pairs[number].finished);
    if (next === undefined) say("All pairs are finished.");
    else openPair(next);
  }

  function showRefusal() {
    complain(`Not saved: another tab or program has changed pair ${current.id} since you opened it. Nothing was overwritten.`);
    part("refused").hidden = false;
  }

  // Save this version, or take the other one; undo brings this one back.
  function settleRefusal(keepMine) {
    const { line } = current.refused;
    saver.settle(current);
    complain("");
    if (!keepMine) change(line ? fromLine(line, count()) : emptyWork(), "Took the other version; undo brings yours back.");
    saver.saveAll();
    sides.summary.focusCursor();
  }

  // ---- showing -----------------------------------------------------------------------------------------

  function showLink(found) {
    sides.document.selectSpan(found.document);
    sides.summary.selectSpan(found.summary);
    selected("summary");
  }

  function paint() {
    const { data, work } = current;
    paintWords(current, sides);
    listLinks(part("links"), data, work.links.map((found) => ({
      link: found, note: found.sure ? "sure" : "possible", action: "remove", disabled: false,
      act: () => change(removeLink(current.work, found, count()), "Removed the link."),
    })), showLink);
    listLinks(part("differences"), data, differencesHere().map(({ link: found, note, taken }) => ({
      link: found, note: taken ? `${note} · taken` : note, action: "take", disabled: taken,
      act: () => change(addLinks(current.work, [found], count()), "Took the link."),
    })), showLink);
    part("differences-box").hidden = !part("differences").children.length;
    const left = undecidedWords(work, count()).length;
    part("left").textContent = work.finished ? "finished" : `${left} of ${count()} summary words undecided`;
    part("undo").disabled = !current.undo.length;
    part("redo").disabled = !current.redo.length;
    redraw();
  }

  function redraw() {
    return current ? markLinked(current, sides, activeSide, part("curves")) : [];
  }

  function selected(side) {
    activeSide = side;
    const own = redraw(), { span } = sides[side];
    const states = new Set(spanWords(span).map((k) => describeWord(current, side, k, own)).filter(Boolean));
    say([quote(side, span), ...states].join(" · "));
  }

  function showClock() {
    const { seconds } = current.work;
    part("time").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  // ---- pairs -------------------------------------------------------------------------------------------

  const numberOf = (id) => index.pairs.findIndex((pair) => pair.id === id);

  function refreshProgress(pair) {
    if (pair) Object.assign(index.pairs[numberOf(pair.id)], { finished: pair.work.finished, seconds: pair.work.seconds });
    const finished = index.pairs.filter((found) => found.finished).length;
    const seconds = index.pairs.reduce((sum, found) => sum + (found.seconds || 0), 0);
    part("progress").max = index.pairs.length;
    part("progress").value = finished;
    part("place").textContent = `${finished} of ${index.pairs.length} finished, ${Math.round(seconds / 60)} min`;
    order.forEach((number, k) => { part("pair").options[k].textContent = nameOfPair(index.pairs[number]); });
  }

  function sortPairs() {
    const byDoubt = index.by_doubt.length > 0;
    part("order").disabled = !byDoubt;
    if (!byDoubt) part("order").value = "corpus";
    order = part("order").value === "doubt" ? index.by_doubt : index.pairs.map((_, number) => number);
    fillOptions(part("pair"), order.map((number) => [String(number), index.pairs[number].id]));
    if (current) part("pair").value = String(numberOf(current.id));
    refreshProgress(null);
  }

  async function fetchPair(id) {
    const data = await store.pair(id, annotator), words = data.s.w.length;
    const work = data.line ? fromLine(data.line, words) : emptyWork();
    const pair = { id, data, work, revision: data.revision, undo: [], redo: [], touched: false, refused: null };
    pair.saved = data.line && JSON.stringify(lineOf(pair));
    saver.restore(pair);
    const start = data.starts.find(({ name }) => name === part("start").value);
    if (!data.line && !pair.touched && start) pair.work = startWork(work, start, words);
    return pair;
  }

  async function openPair(number) {
    const { id } = index.pairs[number], request = ++requests;
    saver.saveAll();
    try {
      if (!opened.has(id)) {
        const fetched = await fetchPair(id);
        if (request !== requests) return; // another pair was asked for in the meantime
        opened.set(id, fetched);
      }
    } catch (error) {
      complain(`Pair ${id} cannot be opened: ${error.message}.`);
      return;
    }
    current = opened.get(id);
    activeSide = "summary";
    complain("");
    if (current.refused) showRefusal();
    const chosen = part("start").value, names = current.data.starts.map(({ name }) => name);
    fillOptions(part("start"), [["", "nothing"], ...names.map((name) => [name, name])]);
    part("start").value = names.includes(chosen) ? chosen : "";
    part("pair").value = String(number);
    sides.summary.fill(current.data.s);
    sides.document.fill(current.data.d);
    sides.summary.select(undecidedWords(current.work, count())[0] ?? 0);
    paint();
    showClock();
    sides.summary.focusCursor();
    if (matchMedia("(max-width: 52rem)").matches) part("work").scrollIntoView();
    saver.plan();
  }

  function move(by) {
    const number = order[order.indexOf(numberOf(current.id)) + by];
    if (number !== undefined) openPair(number);
  }

  async function beginAs(name) {
    await saver.saveAll();
    if (saver.hasUnsaved()) {
      part("annotator").value = annotator;
      return; // the message says what could not be saved
    }
    annotator = name.trim();
    opened.clear();
    current = null;
    part("work").hidden = !annotator;
    complain(annotator ? "" : "Enter your name as annotator to begin.");
    if (!annotator) return;
    try {
      index = await store.index(annotator);
    } catch (error) {
      complain(`The pairs cannot be opened: ${error.message}.`);
      return;
    }
    storage.setItem("vorlage annotator", annotator);
    const names = new Set([...index.annotators, index.adjudicator]);
    fillOptions(part("annotators"), [...names].map((known) => [known, ""]));
    sortPairs();
    await openPair(order.find((number) => !index.pairs[number].finished) ?? order[0]);
    refreshAgreement();
  }

  async function refreshAgreement() {
    if (!part("agreement-box").open) return;
    const rows = await store.agreement(Number(part("skip").value)).catch(() => []);
    part("agreement").replaceChildren(...rows.map(agreementRow));
    part("no-agreement").hidden = rows.length > 0;
  }

  async function download() {
    await saver.saveAll();
    const anchor = makeElement("a");
    anchor.href = store.goldAddress(annotator);
    anchor.download = "gold.jsonl";
    anchor.click();
  }

  // ---- events ------------------------------------------------------------------------------------------

  const actions = {
    sure: () => link(true, false), possible: () => link(false, false), each: () => link(true, true),
    "no-source": noSource, remove, match, longer: () => sides[activeSide].extend(),
    undo: () => stepBack(current.undo, current.redo, "Undone."), redo: () => stepBack(current.redo, current.undo, "Done again."),
    difference: nextDifference, finish, previous: () => move(-1), next: () => move(1), download,
    mine: () => settleRefusal(true), other: () => settleRefusal(false),
    keys: () => { part("keys-box").open = !part("keys-box").open; part("keys-box").scrollIntoView({ block: "nearest" }); },
  };
  const KEYS = {
    Enter: "sure", p: "possible", w: "each", n: "no-source", Backspace: "remove", Delete: "remove", m: "match",
    d: "difference", f: "finish", j: "next", k: "previous", "?": "keys",
  };
  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act]");
    if (button && (current || button.dataset.act === "download")) actions[button.dataset.act]();
  });
  document.addEventListener("keydown", (event) => {
    if (!current || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    let action = event.target.closest(".word") ? KEYS[key] : undefined;
    if (event.ctrlKey || event.metaKey) action = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[key];
    else if (key === "Escape") { sides[activeSide].clear(); redraw(); }
    if (action) { event.preventDefault(); actions[action](); }
  });
  part("annotator").addEventListener("change", () => beginAs(part("annotator").value));
  part("pair").addEventListener("change", () => openPair(Number(part("pair").value)));
  part("order").addEventListener("change", sortPairs);
  part("start").addEventListener("change", () => {
    const start = current.data.starts.find(({ name }) => name === part("start").value);
    if (start) change(startWork(current.work, start, count()), `Started from ${start.name}; undo brings back what was there.`);
  });
  part("skip").addEventListener("change", refreshAgreement);
  part("agreement-box").addEventListener("toggle", refreshAgreement);
  for (const name of ["pointerdown", "keydown", "wheel"]) {
    document.addEventListener(name, () => { lastActivity = Date.now(); }, { passive: true, capture: true });
  }
  for (const side of ["summary", "document"]) part(side).addEventListener("scroll", redraw, { passive: true });
  window.addEventListener("resize", redraw);
  document.addEventListener("visibilitychange", () => { if (document.hidden) saver.saveAll(); });
  window.addEventListener("beforeunload", (event) => { if (saver.hasUnsaved()) event.preventDefault(); });
  setInterval(() => {
    if (!current || document.hidden || Date.now() - lastActivity > IDLE_AFTER) return;
    current.work.seconds += 1;
    showClock();
  }, 1000);

  part("annotator").value = config.annotator || storage.getItem("vorlage annotator") || "";
  await beginAs(part("annotator").value);
  if (!annotator) part("annotator").focus();
  if (!store.lasting) complain("This browser keeps nothing for this page: download your work before you close it.");
})();
