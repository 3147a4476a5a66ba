// The files that somebody chooses or drops, each as { path, file }, where the path begins with a dropped or chosen folder.
"use strict";

// What the app opens of a folder of results.
const RESULTS = /^(.*\/)?(corpus\/(corpus|gold)\.jsonl|align\/[^/]+\/alignments\.jsonl)$/;
const DEEPEST = 6; // folders, of which those of results are the innermost

function chosenFiles(list) {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

// Return what was dropped. Begins at once, because the browser empties `transfer` after its event.
async function droppedFiles(transfer) {
  const files = chosenFiles(transfer.files);
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  return entries.some((entry) => entry.isDirectory) ? (await Promise.all(entries.map((entry) => filesIn(entry, 0)))).flat() : files;
}

async function filesIn(entry, depth) {
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) return [{ path, file: await new Promise((done, failed) => entry.file(done, failed)) }];
  if (depth > DEEPEST) return [];
  const reader = entry.createReader(), found = [];
  for (;;) { // it returns a part of the entries at a time
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) break;
    for (const inner of some) found.push(...await filesIn(inner, depth + 1));
  }
  return found;
}

// Return the files to open together: those of each folder of results, and all that were chosen one by one.
function groupFiles(files) {
  const groups = new Map();
  for (const found of files) {
    const folder = found.path.includes("/") ? RESULTS.exec(found.path) : [];
    if (!folder) continue;
    const key = folder[1] ?? "";
    groups.set(key, [...(groups.get(key) ?? []), found]);
  }
  return [...groups.values()];
}
