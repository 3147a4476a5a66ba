// What an alignment is as text: the citation of a passage, and the rows of the file that a reader saves.
"use strict";

// Say where words of a text stand.
function placeOf(text, side, [first, end]) {
  const sentence = text.b.findIndex((last) => last > first) + 1;
  return `${side}, sentence ${sentence}, ${end - first === 1 ? `word ${first}` : `words ${first}–${end - 1}`}`;
}

// Cite words of one side of a pair, and what each system links them to. `shown` has the links of each pane, and
// `systems` names the system of each.
function citeAlignment(data, shown, systems, side, numbers) {
  const [own, other] = side === "document" ? [data.d, data.s] : [data.s, data.d];
  const otherSide = side === "document" ? "summary" : "document";
  const span = [numbers[0], numbers.at(-1) + 1];
  const lines = [`${quoteText(own, span)} (${data.id}, ${placeOf(own, side, span)})`];
  for (const [pane, system] of Object.entries(systems)) {
    const linked = new Map();
    for (const k of numbers) {
      for (const [j, value] of shown[pane][side].get(k) || []) linked.set(j, Math.max(value, linked.get(j) ?? 0));
    }
    const runs = runsOf(linked.keys()).map((run) => {
      const lowest = Math.min(...[...linked].filter(([j]) => run[0] <= j && j < run[1]).map(([, value]) => value));
      const posterior = shown[pane].hasPosteriors ? `, posterior ${run[1] - run[0] > 1 ? "≥ " : ""}${lowest.toFixed(2)}` : "";
      return `${quoteText(other, run)} (${placeOf(other, otherSide, run)}${posterior})`;
    });
    const relation = side === "document" ? "is the source of" : "comes from";
    lines.push(`${relation}, by ${system}: ${runs.join("; ") || "nothing"}`);
  }
  return lines;
}

// Return a row for each link of the given summary words, and for each of these words without a link.
function alignmentRows(data, shown, systems, gold, numbers) {
  const rows = [];
  const kinds = ["", "possible", "sure"];
  for (const i of numbers) {
    const marked = gold ? shown.gold.summary.get(i) || new Map() : new Map();
    const row = (system, j, posterior, noSource, kind) => rows.push({
      pair: data.id, system, summary_word: i, summary: data.s.w[i], document_word: j, document: j === null ? null : data.d.w[j],
      posterior, no_source: noSource, gold: kind,
    });
    for (const [pane, system] of Object.entries(systems)) {
      const links = shown[pane], noSource = links.nulls.get(i) ?? null;
      const linked = [...(links.summary.get(i) || [])].sort((x, y) => x[0] - y[0]);
      for (const [j, value] of linked) row(system, j, links.hasPosteriors ? value : null, noSource, kinds[marked.get(j) || 0]);
      if (!linked.length) row(system, null, null, noSource, "");
    }
    for (const [j, kind] of [...marked].sort((x, y) => x[0] - y[0])) row("gold", j, null, null, kinds[kind]);
  }
  return rows;
}
