// The links that the viewer shows, as maps from words to words. These functions do not touch the page.
"use strict";

// Unpack a pair: base64 of compressed JSON (pack() in pipeline/vorlage/views/viewer.py).
async function unpackPair(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// Return the word links [summary word, document word] of a phrase pair. Python has decided whether its words are
// linked one to one (diagonal) or all to all.
function wordLinks(summaryStart, summaryEnd, documentStart, documentEnd, diagonal) {
  const links = [];
  for (let i = summaryStart; i < summaryEnd; i++) {
    if (diagonal) links.push([i, documentStart + i - summaryStart]);
    else for (let j = documentStart; j < documentEnd; j++) links.push([i, j]);
  }
  return links;
}

// Two maps: word → (linked word of the other side → value); of equal links the largest value counts.
function emptyLinks() {
  return { summary: new Map(), document: new Map() };
}

function addLink(links, i, j, value) {
  for (const [map, from, to] of [[links.summary, i, j], [links.document, j, i]]) {
    if (!map.has(from)) map.set(from, new Map());
    const row = map.get(from);
    if (!row.has(to) || row.get(to) < value) row.set(to, value);
  }
}

// Collect the links of one system. Values are posteriors, 1 for a system that has none. `nulls` maps summary words
// to the probability that they have no source; `hasPosteriors` tells whether any link has one. A threshold of null shows
// the links that the decoder chose; a number shows links and candidates with at least that posterior.
function systemLinks(data, system, threshold) {
  const found = { ...emptyLinks(), nulls: new Map(), hasPosteriors: false };
  const [links, candidates, nulls] = data.systems[system] || [[], [], []];
  const isShown = (posterior) => threshold === null || posterior === null || posterior >= threshold;
  for (const [summaryStart, summaryEnd, documentStart, documentEnd, posterior, diagonal] of links) {
    if (posterior !== null) found.hasPosteriors = true;
    if (documentStart < 0) {
      for (let i = summaryStart; i < summaryEnd; i++) found.nulls.set(i, posterior);
    } else if (isShown(posterior)) {
      for (const [i, j] of wordLinks(summaryStart, summaryEnd, documentStart, documentEnd, diagonal)) {
        addLink(found, i, j, posterior === null ? 1 : posterior);
      }
    }
  }
  nulls.forEach((posterior, i) => found.nulls.set(i, posterior));
  for (const [i, j, posterior] of threshold === null ? [] : candidates) {
    if (isShown(posterior)) addLink(found, i, j, posterior);
  }
  return found;
}

// Collect the links of the gold. Values: 2 for a sure link, 1 for a possible one.
function goldLinks(data) {
  const found = emptyLinks();
  for (const [summarySpans, documentSpans, sure] of data.gold) {
    for (const summarySpan of summarySpans) for (const documentSpan of documentSpans) {
      for (const [i, j] of wordLinks(...summarySpan, ...documentSpan, false)) addLink(found, i, j, sure ? 2 : 1);
    }
  }
  return found;
}

// Return the words with a value in a row of the gold, in order.
function goldWords(row, value) {
  return [...row].filter(([, kind]) => kind === value).map(([word]) => word).sort((x, y) => x - y);
}

// Compare a summary word with the gold: "wrong" if it has a link that the gold lacks, "missed" if it lacks a sure
// link of the gold, "" otherwise. Gold in characters marks regions, so one link into the region is enough.
function verdict(unit, system, gold, i) {
  if (!unit) return "";
  const linked = system.summary.get(i) || new Map();
  const goldRow = gold.summary.get(i) || new Map();
  if (unit === "char" && !goldRow.size) return "";
  if ([...linked.keys()].some((j) => !goldRow.has(j))) return "wrong";
  const sure = goldWords(goldRow, 2);
  const hits = sure.filter((j) => linked.has(j)).length;
  return hits < (unit === "char" ? Math.min(1, sure.length) : sure.length) ? "missed" : "";
}
