// What the page shows of a pair and of the progress; these functions change nothing else.
"use strict";

function quoteWords(data, side, [first, end]) {
  return `“${(side === "summary" ? data.s : data.d).w.slice(first, end).join(" ")}”`;
}

// Say what a word is linked to; `links` are those to look at.
function describeWord({ data, work }, side, k, links) {
  const other = side === "summary" ? "document" : "summary";
  const own = links.filter((link) => covers([link[side]], k));
  if (own.length) return own.map((link) => `${link.sure ? "sure" : "possible"} ${quoteWords(data, other, link[other])}`).join(", ");
  if (side === "document") return "";
  return work.nulls.includes(k) ? "no source" : "undecided";
}

function paintWords(pair, sides) {
  const { work } = pair;
  for (const side of ["summary", "document"]) {
    sides[side].words.forEach((word, k) => {
      const own = work.links.filter((link) => covers([link[side]], k));
      const isNull = side === "summary" && work.nulls.includes(k);
      word.classList.toggle("sure", own.some((link) => link.sure));
      word.classList.toggle("possible", own.length > 0 && !own.some((link) => link.sure));
      word.classList.toggle("no-source", isNull);
      word.classList.toggle("undecided", side === "summary" && !own.length && !isNull);
      const state = describeWord(pair, side, k, own);
      word.setAttribute("aria-label", state ? `${word.textContent}, ${state}` : word.textContent);
    });
  }
}

// Mark the words on the other side that the selected words of `side` are linked to; return the links.
function markLinked(pair, sides, side, canvas) {
  const other = side === "summary" ? "document" : "summary", { span } = sides[side];
  const own = span ? pair.work.links.filter((link) => overlap(link[side], span)) : [];
  for (const name of ["summary", "document"]) {
    sides[name].words.forEach((word, k) => {
      word.classList.toggle("hit", name === other && covers(own.map((link) => link[name]), k));
    });
  }
  drawCurves(canvas, own.map((link) => ({
    from: sides.summary.words[link.summary[0]], to: sides.document.words[link.document[0]],
    curve: link.sure ? "curve-sure" : "curve-possible",
  })), true);
  return own;
}

// Fill a list with links. Entries: { link, note, action, act, disabled }; `show` is called with a link to show. An action
// fills the list again, and the focus stays at its place.
function listLinks(list, data, entries, show) {
  list.replaceChildren(...entries.map(({ link, note, action, act, disabled }, k) => {
    const text = `${quoteWords(data, "summary", link.summary)} ← ${quoteWords(data, "document", link.document)}`;
    const item = makeElement("li", link.sure ? "sure" : "possible");
    const shower = makeElement("button", "show", text), actor = makeElement("button", "act", action);
    shower.type = actor.type = "button";
    actor.setAttribute("aria-label", `${action}: ${text}`);
    actor.disabled = disabled;
    shower.addEventListener("click", () => show(link));
    actor.addEventListener("click", () => {
      act(link);
      (list.children[k] ?? list.lastElementChild)?.querySelector(".show").focus();
    });
    item.append(shower, makeElement("span", "note", note), actor);
    return item;
  }));
}

// Fill a select element with [value, text].
function fillOptions(select, options) {
  select.replaceChildren(...options.map(([value, text]) => {
    const option = makeElement("option", "", text);
    option.value = value;
    return option;
  }));
}

function nameOfPair({ id, finished, seconds }) {
  return finished ? `${id} – finished` : seconds === undefined ? id : `${id} – begun`;
}

function agreementRow(row) {
  const number = (value) => (typeof value === "number" ? value.toFixed(2) : "–");
  const words = row.words === "all" ? "all" : "non-stop";
  const line = makeElement("tr");
  const cells = [`${row.annotator}, ${row.against}`, words, number(row.kappa_sure), number(row.kappa_possible), row.pairs];
  line.append(...cells.map((text, k) => makeElement("td", k < 2 ? "text" : "", String(text))));
  return line;
}
