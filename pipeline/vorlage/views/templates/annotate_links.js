// The links that an annotator makes, as plain values. These functions do not touch the page.
//
// work: { links, nulls, finished, seconds, start }, where a link is { summary: [first, end], document: [first, end], sure }
// and nulls lists the summary words that have no source. No function changes the work that it is given.
"use strict";

function emptyWork() {
  return { links: [], nulls: [], finished: false, seconds: 0, start: "" };
}

function overlap([a, b], [c, d]) {
  return a < d && c < b;
}

function sameLink(x, y) {
  return ["summary", "document"].every((side) => x[side].join() === y[side].join());
}

function spanWords([first, end]) {
  return Array.from({ length: end - first }, (_, k) => first + k);
}

function covers(spans, word) {
  return spans.some(([first, end]) => first <= word && word < end);
}

// Return the summary words without a link.
function unlinkedWords(links, count) {
  return spanWords([0, count]).filter((word) => !covers(links.map((link) => link.summary), word));
}

// Return the summary words that have neither a link nor the mark of no source.
function undecidedWords(work, count) {
  return unlinkedWords(work.links, count).filter((word) => !work.nulls.includes(word));
}

// Put links in order and, in a finished pair, keep the rule that words without a link have no source.
function settleWork(work, count) {
  const links = [...work.links].sort((x, y) => x.summary[0] - y.summary[0] || x.document[0] - y.document[0]);
  const unlinked = unlinkedWords(links, count);
  return { ...work, links, nulls: work.finished ? unlinked : unlinked.filter((word) => work.nulls.includes(word)) };
}

// Add links; a link of the same phrases is replaced.
function addLinks(work, added, count) {
  const kept = work.links.filter((link) => !added.some((other) => sameLink(link, other)));
  return settleWork({ ...work, links: [...kept, ...added] }, count);
}

function removeLink(work, link, count) {
  return settleWork({ ...work, links: work.links.filter((other) => !sameLink(link, other)) }, count);
}

// Remove the links of a span of one side and, in the summary, the marks of no source.
function removeSpan(work, side, span, count) {
  const links = work.links.filter((link) => !overlap(link[side], span));
  const nulls = side === "summary" ? work.nulls.filter((word) => !covers([span], word)) : work.nulls;
  return settleWork({ ...work, links, nulls }, count);
}

// Mark the summary words of a span as having no source; their links are removed.
function markNull(work, span, count) {
  const bare = removeSpan(work, "summary", span, count);
  return settleWork({ ...bare, nulls: [...bare.nulls, ...spanWords(span)] }, count);
}

// Mark every undecided word as having no source.
function finishWork(work, count) {
  return settleWork({ ...work, finished: true }, count);
}

// Link two spans: word by word if they have the same words or `each` is set, else as one phrase. Returns null for
// spans that cannot be linked word by word because their lengths differ.
function linkSpans(data, summary, document, sure, each) {
  const words = (text, [first, end]) => text.w.slice(first, end).map((word) => word.toLowerCase());
  const left = words(data.s, summary), right = words(data.d, document);
  const equal = left.length === right.length && left.every((word, k) => word === right[k]);
  if (!equal && !each) return [{ summary, document, sure }];
  if (left.length !== right.length) return null;
  return left.map((_, k) => ({
    summary: [summary[0] + k, summary[0] + k + 1], document: [document[0] + k, document[0] + k + 1], sure,
  }));
}

function startWork(work, start, count) {
  const links = start.links.map(([summary, document, sure]) => ({ summary, document, sure }));
  return settleWork({ ...work, links, nulls: [...start.nulls], finished: false, start: start.name }, count);
}

// Return the next place in the document, after word `from`, with the words of a summary span; null if there is none.
// A single word also matches words that begin like it.
function findMatch(data, span, from) {
  const sought = data.s.w.slice(...span).map((word) => word.toLowerCase());
  const words = data.d.w.map((word) => word.toLowerCase());
  const stem = sought.length === 1 && sought[0].length > 4 ? sought[0].slice(0, Math.max(4, sought[0].length - 3)) : null;
  const matches = (j) => sought.every((word, k) => words[j + k] === word) || (stem !== null && words[j].startsWith(stem));
  for (let step = 1; step <= words.length; step++) {
    const j = (from + step + words.length) % words.length;
    if (matches(j)) return [j, j + sought.length];
  }
  return null;
}

// Return the line of a gold file; annotation.py describes it.
function toLine(id, annotator, work) {
  const line = {
    id, annotator, unit: "token",
    alignments: work.links.map(({ summary, document, sure }) => ({ summary, document, sure })),
    seconds: work.seconds,
  };
  if (work.start) line.start = work.start;
  return work.finished ? line : { ...line, finished: false, null: work.nulls };
}

function fromLine(line, count) {
  const links = line.alignments.map(({ summary, document, sure }) => ({ summary, document, sure: sure !== false }));
  return settleWork({
    links, nulls: line.null || [], finished: line.finished !== false, seconds: line.seconds || 0, start: line.start || "",
  }, count);
}
