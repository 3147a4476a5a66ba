// The annotation page: the annotator, the list of pairs, the one that is open, and what keys and buttons do.
"use strict";

(async () => {
  const root = document.getElementById("annotate");
  const config = JSON.parse(document.getElementById("config").textContent);
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const { storage, lasting } = openStorage();
  const store = config.app ? appStore() : diskStore(readPage(), storage, lasting);
  const editor = makeEditor(part, () => (annotator ? saver.plan() : askName()));
  const opened = new Map(); // id → pair, see annotate_saving.js; pairs stay open for undo and for saves that failed
  const saver = makeSaver(store, config.app ? storage : null, config.digest, opened, lineOf, {
    show: (text, kind) => { part("saved").textContent = text; part("saved").className = `saved ${kind}`; },
    saved: (pair) => { if (!editor.pair?.refused) complain(""); refreshProgress(pair); refreshAgreement(); },
    failed: (text) => { if (!editor.pair?.refused) complain(text); },
    refused: (pair) => { if (pair === editor.pair) showRefusal(); },
  });
  const IDLE_AFTER = 60000; // milliseconds without a key or a click, after which the clock stands still
  let annotator = "", index = null, order = [], lastActivity = Date.now(), requests = 0;
  let justFinished = null; // the number of the pair that was finished before this one was opened

  function readPage() {
    const pairs = [...document.querySelectorAll("script.pair")].map((script) => JSON.parse(script.textContent));
    return { ...config, pairs: new Map(pairs.map((pair) => [pair.id, pair])) };
  }

  function lineOf(pair) {
    return toLine(pair.id, annotator, pair.work);
  }

  function complain(text, kind = "") {
    Object.assign(part("message"), { textContent: text, className: kind });
    part("refused").hidden = true;
  }

  const askName = () => complain("Enter your name as annotator to save what you mark.", "quiet");

  // ---- the list of pairs -------------------------------------------------------------------------------

  const numberOf = (id) => index.pairs.findIndex((pair) => pair.id === id);

  function refreshProgress(pair) {
    if (pair) Object.assign(index.pairs[numberOf(pair.id)], { finished: pair.work.finished, seconds: pair.work.seconds });
    const finished = index.pairs.filter((other) => other.finished).length;
    const seconds = index.pairs.reduce((sum, other) => sum + (other.seconds || 0), 0);
    part("progress").max = index.pairs.length;
    part("progress").value = finished;
    part("place").textContent = `${finished} of ${index.pairs.length} finished, ${Math.round(seconds / 60)} min`;
    order.forEach((number, k) => { part("pair").options[k].textContent = nameOfPair(index.pairs[number]); });
  }

  function sortPairs() {
    const byDoubt = index.by_doubt.length > 0;
    part("order").disabled = !byDoubt;
    part("order").title = byDoubt ? "" : "needs alignments with posteriors";
    if (!byDoubt) part("order").value = "corpus";
    order = part("order").value === "doubt" ? index.by_doubt : index.pairs.map((_, number) => number);
    fillOptions(part("pair"), order.map((number) => [String(number), index.pairs[number].id]));
    if (editor.pair) part("pair").value = String(numberOf(editor.pair.id));
    refreshProgress(null);
  }

  async function refreshAgreement() {
    if (!part("agreement-box").open) return;
    const rows = await store.agreement(Number(part("skip").value)).catch(() => []);
    part("agreement").replaceChildren(...rows.map(agreementRow));
    part("no-agreement").hidden = rows.length > 0;
  }

  // ---- the pair that is open ---------------------------------------------------------------------------

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
    justFinished = null;
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
    const pair = opened.get(id), chosen = part("start").value, names = pair.data.starts.map(({ name }) => name);
    complain("");
    if (!annotator) askName();
    fillOptions(part("start"), [["", "nothing"], ...names.map((name) => [name, name])]);
    part("start").value = names.includes(chosen) ? chosen : "";
    part("pair").value = String(number);
    editor.open(pair);
    if (pair.refused) showRefusal();
    showClock();
    if (matchMedia("(max-width: 52rem)").matches) part("work").scrollIntoView();
    saver.plan();
  }

  function move(by) {
    const number = order[order.indexOf(numberOf(editor.pair.id)) + by];
    if (number !== undefined) openPair(number);
  }

  // Finish the pair, and open the next one that is not finished.
  async function finish() {
    const { pair } = editor;
    if (!editor.finish()) return;
    if (!annotator) part("annotator").focus();
    await saver.saveAll();
    if (editor.pair !== pair || saver.isUnsaved(pair)) return;
    const at = order.indexOf(numberOf(pair.id));
    const next = [...order.slice(at + 1), ...order.slice(0, at)].find((number) => !index.pairs[number].finished);
    if (next === undefined) editor.say("All pairs are finished.");
    else {
      await openPair(next);
      justFinished = numberOf(pair.id);
      part("undo").disabled = false;
    }
  }

  // Undo the last change; on a pair without one, that which finished the pair before it.
  async function undo() {
    if (!editor.pair.undo.length && justFinished !== null) await openPair(justFinished);
    editor.actions.undo();
  }

  function showRefusal() {
    complain(`Not saved: pair ${editor.pair.id} has another version, saved before or by another tab or program. Nothing was overwritten.`);
    part("refused").hidden = false;
  }

  // Save this version, or take the other one.
  function settleRefusal(keepMine) {
    const { line } = editor.pair.refused;
    saver.settle(editor.pair);
    complain("");
    if (!keepMine) editor.takeOther(line);
    saver.saveAll();
    editor.focus();
  }

  function showClock() {
    const { seconds } = editor.pair.work;
    part("time").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  // ---- the annotator -----------------------------------------------------------------------------------

  // Go on as an annotator, who keeps what was marked before there was a name.
  async function beginAs(name) {
    await saver.saveAll();
    if (annotator && saver.hasUnsaved()) {
      part("annotator").value = annotator;
      return; // the message says what could not be saved
    }
    try {
      index = await store.index(name.trim());
    } catch (error) {
      complain(`The pairs cannot be opened: ${error.message}.`);
      return;
    }
    for (const [id, { touched }] of opened) if (annotator || !touched) opened.delete(id);
    annotator = name.trim();
    editor.close();
    storage.setItem("vorlage annotator", annotator);
    const names = new Set([...index.annotators, index.adjudicator]);
    fillOptions(part("annotators"), [...names].map((known) => [known, ""]));
    sortPairs();
    part("work").hidden = false;
    const [draft] = opened.keys(), first = order.find((number) => !index.pairs[number].finished) ?? order[0];
    await openPair(draft === undefined ? first : numberOf(draft));
    refreshAgreement();
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
    ...editor.actions, undo, finish, previous: () => move(-1), next: () => move(1), download,
    mine: () => settleRefusal(true), other: () => settleRefusal(false),
    keys: () => { part("keys-box").open = !part("keys-box").open; part("keys-box").scrollIntoView({ block: "nearest" }); },
  };
  const KEYS = {
    Enter: "sure", p: "possible", w: "each", n: "no-source", Backspace: "remove", Delete: "remove", m: "match",
    d: "difference", f: "finish", j: "next", k: "previous", "?": "keys",
  };
  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act]");
    if (button && (editor.pair || button.dataset.act === "download")) actions[button.dataset.act]();
  });
  document.addEventListener("keydown", (event) => {
    if (!editor.pair || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    let action = event.target.closest(".word") ? KEYS[key] : undefined;
    if (event.ctrlKey || event.metaKey) action = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[key];
    else if (key === "Escape") editor.clear();
    if (action) { event.preventDefault(); actions[action](); }
  });
  part("annotator").addEventListener("change", () => beginAs(part("annotator").value));
  part("pair").addEventListener("change", () => openPair(Number(part("pair").value)));
  part("order").addEventListener("change", sortPairs);
  part("start").addEventListener("change", () => editor.begin(part("start").value));
  part("skip").addEventListener("change", refreshAgreement);
  part("agreement-box").addEventListener("toggle", refreshAgreement);
  for (const name of ["pointerdown", "keydown", "wheel"]) {
    document.addEventListener(name, () => { lastActivity = Date.now(); }, { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", () => { if (document.hidden) saver.saveAll(); });
  window.addEventListener("beforeunload", (event) => { if (saver.hasUnsaved()) event.preventDefault(); });
  setInterval(() => {
    if (!editor.pair || document.hidden || Date.now() - lastActivity > IDLE_AFTER) return;
    editor.pair.work.seconds += 1;
    showClock();
  }, 1000);

  fillOptions(part("start"), [["", "nothing"], ...(config.start ? [[config.start, config.start]] : [])]);
  part("start").value = config.start;
  part("annotator").value = config.annotator || storage.getItem("vorlage annotator") || "";
  await beginAs(part("annotator").value);
  if (!annotator) part("annotator").focus();
  if (!store.lasting) complain("This browser keeps nothing for this page: download your work before you close it.");
})();
