// Cohen's κ of annotators, for a page from disk. pipeline/vorlage/workflow/score/agreement.py defines it; a test compares the two.
"use strict";

// Return κ of binary decisions, one for each of `cells` pairs of words; null where it is not defined. All are BigInt.
function kappa(both, first, second, cells) {
  const agreed = cells - first - second + 2n * both;
  const chance = first * second + (cells - first) * (cells - second);
  return chance === cells * cells ? null : Number(agreed * cells - chance) / Number(cells * cells - chance);
}

// Return the word links of a line as a set of "i,j". `counts` tells whether a word of a side counts.
function markedCells(line, sureOnly, counts) {
  const cells = new Set();
  for (const { summary, document, sure } of line.alignments) {
    if (sureOnly && sure === false) continue;
    for (const i of spanWords(summary)) {
      for (const j of spanWords(document)) if (counts("s", i) && counts("d", j)) cells.add(`${i},${j}`);
    }
  }
  return cells;
}

// Return what `kappa` takes, over the pairs with these ids. `content`: whether only links of two content words count.
function decisionsOf(ids, pairs, mine, theirs, sureOnly, content) {
  const sums = [0, 0, 0, 0];
  for (const id of ids) {
    const data = pairs.get(id);
    const counts = (side, word) => !content || data.content[side][word] === "1";
    const [first, second] = [mine, theirs].map((lines) => markedCells(lines.get(id), sureOnly, counts));
    const words = ["s", "d"].map((side) => data[side].w.filter((_, word) => counts(side, word)).length);
    const both = [...first].filter((cell) => second.has(cell)).length;
    [both, first.size, second.size, words[0] * words[1]].forEach((number, k) => { sums[k] += number; });
  }
  return sums.map(BigInt);
}

// Return rows as the app does: κ of each two annotators over the pairs that both have finished, without the first
// `skip`. `lines`: of a gold file, in its order. `pairs`: id → what Python has put into the page.
function compareAnnotators(lines, pairs, skip, adjudicator) {
  const byAnnotator = new Map(), order = new Set();
  for (const line of lines) {
    if (line.finished === false) continue;
    order.add(line.id);
    if (line.annotator === adjudicator) continue;
    const name = line.annotator || "unnamed";
    byAnnotator.set(name, (byAnnotator.get(name) ?? new Map()).set(line.id, line));
  }
  const names = [...byAnnotator.keys()].sort(), rows = [];
  names.forEach((annotator, k) => names.slice(k + 1).forEach((against) => {
    const [mine, theirs] = [annotator, against].map((name) => byAnnotator.get(name));
    const shared = [...order].filter((id) => mine.has(id) && theirs.has(id)).slice(skip);
    for (const words of shared.length ? ["all", "nonstop"] : []) {
      const value = (sureOnly) => kappa(...decisionsOf(shared, pairs, mine, theirs, sureOnly, words === "nonstop"));
      rows.push({ annotator, against, words, kappa_sure: value(true), kappa_possible: value(false), pairs: shared.length });
    }
  }));
  return rows;
}
