// Saves changed pairs one after the other, tries again after a failure, and keeps what could not be saved.
//
// A pair: { id, data, work, revision, saved, touched, refused, undo, redo }. `saved` is the text of its line as it is
// kept, `touched` tells whether the annotator has changed anything, and `refused` is the other version of its line.
"use strict";

const SAVE_AFTER = 600, RETRY_AFTER = 5000; // milliseconds

// `backup`: null, or a storage for lines that the store does not take, in which `digest` names the gold file. `hooks`: show(text, kind) and
// failed(message) tell the annotator, saved(pair) and refused(pair) follow a save.
function makeSaver(store, backup, digest, opened, lineOf, hooks) {
  let timer = 0, saving = Promise.resolve(), pending = false; // whether the annotator has been told to wait
  const backupName = (line) => `vorlage unsaved ${JSON.stringify([digest, line.annotator, line.id])}`;
  const mustSave = (pair) => lineOf(pair).annotator && pair.touched && !pair.refused && JSON.stringify(lineOf(pair)) !== pair.saved;
  const withoutTime = (text) => text && text.replace(/"seconds":\d+/, "");
  // Whether a pair has changes that are not saved, besides its time, which goes on while it is saved.
  const isUnsaved = (pair) =>
    pair.refused || (pair.touched && withoutTime(JSON.stringify(lineOf(pair))) !== withoutTime(pair.saved));

  async function savePair(pair) {
    if (!mustSave(pair)) return;
    const line = lineOf(pair);
    // Before the save, because the answer may not arrive, as when the page is closed.
    backup?.setItem(backupName(line), JSON.stringify({ line, revision: pair.revision }));
    try {
      pair.revision = await store.save(line, pair.revision);
      pair.saved = JSON.stringify(line);
      backup?.removeItem(backupName(line));
      pending = true;
      hooks.saved(pair);
    } catch (error) {
      hooks.show("not saved", "failed");
      if (error instanceof Refused) {
        pair.refused = error.other;
        hooks.refused(pair);
      } else {
        hooks.failed(`Not saved: ${error.message}. Your work is still here; saving is tried again.`);
        plan(RETRY_AFTER);
      }
    }
  }

  async function saveEach() {
    const pairs = [...opened.values()];
    for (const pair of pairs) await savePair(pair);
    if (!pending || pairs.some(isUnsaved)) return;
    pending = false;
    hooks.show(store.lasting ? `saved at ${new Date().toLocaleTimeString()}` : "kept until the page closes", "done");
  }

  function saveAll() {
    clearTimeout(timer);
    saving = saving.then(saveEach);
    return saving;
  }

  // Save soon, and say so if there is something to save.
  function plan(after = SAVE_AFTER) {
    clearTimeout(timer);
    if (after === SAVE_AFTER && [...opened.values()].some(mustSave)) {
      pending = true;
      hooks.show("saving …", "busy");
    }
    timer = setTimeout(saveAll, after);
  }

  // End a refusal: the next save of this pair replaces the other version.
  function settle(pair) {
    const { line, revision } = pair.refused;
    backup?.removeItem(backupName(lineOf(pair)));
    Object.assign(pair, { refused: null, revision, saved: line && JSON.stringify(line) });
  }

  // Bring back what could not be saved before the page was closed. If the line has changed since then, the next
  // save is refused, and the annotator decides.
  function restore(pair) {
    const kept = backup?.getItem(backupName(lineOf(pair)));
    if (!kept) return;
    const { line, revision } = JSON.parse(kept);
    if (JSON.stringify(line) === pair.saved) { // its answer had not arrived
      backup.removeItem(backupName(line));
      return;
    }
    Object.assign(pair, { work: fromLine(line, pair.data.s.w.length), touched: true, revision });
  }

  const hasUnsaved = () => [...opened.values()].some(isUnsaved);

  return { saveAll, plan, settle, restore, isUnsaved, hasUnsaved };
}
