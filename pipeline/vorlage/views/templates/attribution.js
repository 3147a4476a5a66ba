// The view of attributions: shows the sources of the phrases and sentences of a text, and what is unsupported.
//
// The words of this view are pieces of sentences, between which spans begin and end; they are made in
// pipeline/vorlage/views/viewer_data.py.
"use strict";

function attributionView({ part, words, makeElement, repaint, chooseAmong, pin, bring }) {
  const MARKS = { supported: "✓", unclear: "?", unsupported: "✗", "no statement": "·" };
  const review = makeReview(makeElement, repaint), only = part("only");
  let data = null; // the text that is shown
  let opened = null; // the key of the finding whose buttons are shown
  let ofText = []; // for each piece of the text: its span and its unsupported part, or undefined
  let ofDocument = []; // for each piece of the document: { spans, unsupported } that lead to it

  function piecesOf([first, end]) {
    return Array.from({ length: end - first }, (_, number) => first + number);
  }

  function open(attribution) {
    data = attribution;
    review.open(data.digest);
    ofText = data.s.w.map(() => ({}));
    ofDocument = data.d.w.map(() => ({ spans: [], unsupported: [] }));
    for (const span of data.spans) {
      for (const k of piecesOf(span.text)) ofText[k].span = span;
      for (const { document, probability } of span.sources) {
        for (const k of piecesOf(document)) ofDocument[k].spans.push({ span, probability });
      }
    }
    for (const word of data.words) {
      for (const k of piecesOf(word.text)) ofText[k].word = word;
    }
    for (const unsupported of data.unsupported.toReversed()) { // of several in one place, the gravest
      for (const k of piecesOf(unsupported.text)) ofText[k].unsupported = unsupported;
      if (unsupported.severity === 1) continue; // a word to check contradicts nothing
      for (const k of piecesOf(unsupported.document || [0, 0])) ofDocument[k].unsupported.push(unsupported);
    }
  }

  // ---- words about places ------------------------------------------------------------------------------

  function textOf(side) {
    return side === "summary" ? data.s : data.d;
  }

  function quote(side, place) {
    return makeElement("span", "", quoteText(textOf(side), place));
  }

  // Return the name, the number of a sentence, which counts from 1 in its document, and the page if there is one.
  function sentenceName(side, sentence) {
    const { names = [], pages = [] } = textOf(side), before = ([start]) => start <= sentence;
    const [first, name] = names.findLast(before) || [0], page = pages.findLast(before)?.[1];
    return (name === undefined ? "sentence " : `${name}:`) + (sentence - first + 1) + (page ? `, page ${page}` : "");
  }

  function sentenceAt(side, k) {
    return sentenceName(side, textOf(side).b.findIndex((end) => end > k));
  }

  function piecesOfSentence(side, sentence) {
    const { b } = textOf(side);
    return [sentence ? b[sentence - 1] : 0, b[sentence]];
  }

  function decimals(probability) {
    return makeElement("span", "probability", probability.toFixed(2));
  }

  function reasonName({ document }) {
    return document ? "differs" : "no source";
  }

  // Return the name of a finding, in the colour of a warning unless it is only a word to check.
  function label(part) {
    return part.severity === 1 ? makeElement("b", "check", "to check") : makeElement("b", "", reasonName(part));
  }

  // Return what is wrong with an unsupported part.
  function reason(part) {
    if (part.document) return [label(part), " ", part.message];
    return part.severity === 1 ? [label(part)] : [label(part), " ", decimals(part.null)];
  }

  // Return where a word is that is not in what its sentence comes from, or that frames it.
  function stateOf({ state, sentence }) {
    return state === "frame" ? "frame, which introduces a statement" : `stands elsewhere: ${sentenceName("document", sentence)}`;
  }

  // ---- findings and verdicts ---------------------------------------------------------------------------

  function sentenceOf(part) {
    return data.s.b.findIndex((end) => end > part.text[0]);
  }

  // Return what names a finding in the storage.
  function keyOf(part) {
    return JSON.stringify([sentenceOf(part), part.kind, quote("summary", part.text).textContent]);
  }

  function findingsIn(sentence) {
    return data.unsupported.filter((part) => sentenceOf(part) === sentence);
  }

  function isDismissed(part) {
    return review.of(keyOf(part)).decision === "not an error";
  }

  // Return the verdict on a sentence, to which findings that are not an error to the reader do not count.
  function verdictOf({ sentence, verdict }) {
    const grave = findingsIn(sentence).filter(({ severity }) => severity > 1);
    return verdict === "unsupported" && grave.every(isDismissed) ? "supported" : verdict;
  }

  // Return why a sentence has its verdict.
  function reasonsOf(entry) {
    const verdict = verdictOf(entry), all = findingsIn(entry.sentence).filter((part) => !isDismissed(part));
    const grave = all.filter(({ severity }) => severity > 1).map(({ message }) => message);
    if (grave.length) return grave;
    if (verdict !== entry.verdict) return ["you said that what was found is not an error"];
    const checked = all.map((part) => quote("summary", part.text).textContent).join(", ");
    const weak = verdict === "unclear" ? [entry.reason] : [];
    return checked ? [...weak, `words to check: ${checked}`] : weak;
  }

  function passes({ marks }, verdict) {
    return verdict === "supported" && marks.every(([, , kind]) => kind === "right");
  }

  // Whether a sentence is to be checked, whatever the reader has decided.
  const fails = (entry) => entry.verdict !== "no statement" && !passes(entry, entry.verdict);

  function headline() {
    const statements = data.sentences.filter(({ verdict }) => verdict !== "no statement"), all = statements.length;
    if (!all) return "nothing to check";
    const supported = statements.filter((entry) => passes(entry, verdictOf(entry))).length;
    const line = `${supported} of ${all} ${all === 1 ? "statement" : "statements"} supported`;
    return supported < all ? `${line}; ${all - supported} to check` : line;
  }

  // Return a finding in one line, which shows its passage and, opened, lets the reader decide.
  function findingItem(finding) {
    const key = keyOf(finding), { decision, note } = review.of(key), passage = quote("summary", finding.text);
    const { severity } = finding, dots = makeElement("span", "dots", "●".repeat(severity) + "○".repeat(3 - severity));
    Object.assign(dots, { role: "img", ariaLabel: `severity ${severity} of 3` });
    const entry = makeElement("details", `finding ${decision.replaceAll(" ", "-")}`), say = makeElement("summary", "say");
    const said = makeElement("span", "said"), decided = [decision, note].filter(Boolean).join(": ");
    said.append(label(finding), " ", finding.kind === "no source" ? passage : finding.message);
    say.append(dots, " ", said, makeElement("span", "quiet", decided && ` ${decided}`));
    entry.append(say, review.controls(key, passage.textContent));
    Object.assign(entry, { name: "finding", open: key === opened });
    say.addEventListener("click", () => pin(words.summary[finding.text[0]]));
    entry.addEventListener("toggle", () => { if (entry.open || key === opened) opened = entry.open ? key : null; });
    return entry;
  }

  // Return the findings in a sentence, the words to check in a line of their own.
  function findingItems(sentence) {
    const all = findingsIn(sentence), rest = all.filter(({ severity }) => severity === 1);
    const items = all.filter(({ severity }) => severity > 1).map(findingItem);
    if (!rest.length) return items;
    const folded = makeElement("details", "rest quiet"), quotes = rest.map(({ text }) => quote("summary", text).textContent);
    folded.append(makeElement("summary", "", `words to check: ${quotes.join(", ")}`), ...rest.map(findingItem));
    folded.open = rest.some((finding) => keyOf(finding) === opened);
    return [...items, folded];
  }

  // ---- drawing -----------------------------------------------------------------------------------------

  function makeWord(side, k, text) {
    const word = makeElement("span", "word", text);
    const { span, spans = [], unsupported, word: state } = side === "summary" ? ofText[k] : ofDocument[k];
    const likeliest = span ? span.sources[0]?.probability ?? 0 : Math.max(0, ...spans.map((each) => each.probability));
    word.style.setProperty("--p", likeliest.toFixed(3));
    word.classList.toggle("linked", likeliest > 0);
    if (side === "summary" && unsupported) {
      word.classList.add(unsupported.severity === 1 ? "check" : unsupported.document ? "differs" : "without");
    }
    if (side === "document" && unsupported.length) word.classList.add("contradicted");
    if (state) {
      word.classList.add(state.state);
      word.title = stateOf(state);
    }
    if (span || spans.length || (side === "summary" ? unsupported : unsupported.length)) {
      word.classList.add("stop");
      word.setAttribute("role", "button");
      if (side === "summary" && unsupported) word.title = line(...reason(unsupported)).textContent;
    }
    return word;
  }

  // Return an element of the class "stop" that stands for a sentence.
  function sentenceStop(className, text, data) {
    const button = makeElement("span", `stop ${className}`, text);
    button.setAttribute("role", "button");
    Object.assign(button.dataset, { side: "summary", ...data });
    return button;
  }

  // Return a probability with a bar as long, which has a mark at what it should reach.
  function gauge(name, probability, least) {
    const found = makeElement("span", probability < least ? "weak" : "", `${name} `), bar = makeElement("span", "gauge");
    bar.style.cssText = `--share: ${probability}; --least: ${least}`;
    found.append(bar, " ", decimals(probability));
    return found;
  }

  // Return a line with the verdict on a sentence, how well it is supported, and its sources.
  function supportLine(entry, number) {
    const { sentence, supported, linked, judged, sources } = entry, verdict = verdictOf(entry);
    const support = makeElement("div", "support"), [least, leastLinked] = data.least;
    const mark = sentenceStop(`mark ${verdict}`, MARKS[verdict], { verdict: number });
    mark.setAttribute("aria-label", `sentence ${sentence + 1}: ${verdict}`);
    support.append(mark, gauge("supported", supported, least));
    support.append(makeElement("span", linked < leastLinked ? "weak" : "", `${Math.round(100 * linked)} % sourced`));
    if (judged !== null) support.append(gauge("judge", judged, 0.5));
    if (verdict === "unclear") support.append(makeElement("span", "", entry.reason));
    for (const [cited, said, kind] of entry.marks) {
      support.append(makeElement("span", kind === "right" ? "" : "weak", `${cited} ${said}`));
    }
    for (const source of sources) {
      const button = sentenceStop("source", `${sentenceName("document", source.sentence)} `, source);
      button.append(decimals(source.probability));
      support.append(button);
    }
    return support;
  }

  // Add the findings in each sentence, the verdict on it and its sources. Returns the line of counts.
  function paint() {
    const sentences = [...part("summary").querySelectorAll(".sentence")], focused = document.activeElement.ariaLabel;
    data.sentences.forEach((entry, number) => {
      const paragraph = sentences[entry.sentence], before = paragraph.querySelector(".notes");
      paragraph.hidden = only.checked && !fails(entry);
      if (entry.verdict === "no statement") return; // a heading, a greeting
      const notes = makeElement("div", "notes");
      notes.append(...findingItems(entry.sentence), supportLine(entry, number));
      before?.remove();
      paragraph.append(notes);
    });
    if (focused) [...part("summary").querySelectorAll("[aria-label]")].find(({ ariaLabel }) => ariaLabel === focused)?.focus();
    part("notes").textContent = data.notes.join(" ");
    document.getElementById("document-title").textContent = data.d.names.length > 1 ? "Documents" : "Document";
    return headline();
  }

  // ---- one piece ---------------------------------------------------------------------------------------

  function about({ dataset: { side, k } }) {
    return side === "summary" ? ofText[k] : ofDocument[k];
  }

  function groupOf(stop) {
    const { span, unsupported } = about(stop) || {};
    if (stop.dataset.side !== "summary" || !(span || unsupported)) return [stop];
    return [span, unsupported].flatMap((each) => (each ? piecesOf(each.text) : [])).map((k) => words.summary[k]);
  }

  // Return the marks of the pieces of a place, with a curve to the first of them.
  function marksAt(place, name, curve, strength) {
    return piecesOf(place).map((k) => ({ k, name, strength, curve: k === place[0] ? curve : null }));
  }

  function marksOf(stop) {
    const hits = (place, probability) => marksAt(place, "hit", "curve", probability);
    const contradictions = (place) => (place ? marksAt(place, "contradicts", "curve-contradicts") : []);
    const contradicted = (part) => (part?.severity > 1 ? contradictions(part.document) : []);
    if (stop.dataset.verdict) {
      const { sentence, sources } = data.sentences[stop.dataset.verdict];
      return [
        ...findingsIn(sentence).flatMap(contradicted),
        ...sources.flatMap((source) => hits(piecesOfSentence("document", source.sentence), source.probability)),
      ];
    }
    if (stop.dataset.sentence) {
      return hits(piecesOfSentence("document", Number(stop.dataset.sentence)), Number(stop.dataset.probability));
    }
    const { span, spans, unsupported } = about(stop);
    if (stop.dataset.side === "document") {
      return [
        ...spans.flatMap((each) => hits(each.span.text, each.probability)),
        ...unsupported.flatMap((each) => contradictions(each.text)),
      ];
    }
    return [
      ...contradicted(unsupported),
      ...(span ? span.sources.flatMap((source) => hits(source.document, source.probability)) : []),
    ];
  }

  // Return an item of a list that shows a place when it is pressed.
  function item(side, place, probability) {
    const entry = makeElement("li"), button = makeElement("button");
    button.type = "button";
    button.append(quote(side, place));
    button.addEventListener("click", () => bring(words[side][place[0]]));
    entry.append(decimals(probability), " ", button, " ", makeElement("span", "quiet", sentenceAt(side, place[0])));
    return entry;
  }

  function line(...nodes) {
    const paragraph = makeElement("p");
    paragraph.append(...nodes);
    return paragraph;
  }

  function describe(stop) {
    const list = makeElement("ul");
    if (stop.dataset.verdict) {
      const entry = data.sentences[stop.dataset.verdict];
      list.append(...reasonsOf(entry).map((text) => makeElement("li", "", text)));
      return [makeElement("b", verdictOf(entry), MARKS[verdictOf(entry)]), ` ${verdictOf(entry)} `, decimals(entry.supported), list];
    }
    if (stop.dataset.sentence) {
      const sentence = Number(stop.dataset.sentence);
      list.append(item("document", piecesOfSentence("document", sentence), Number(stop.dataset.probability)));
      return [`sentence ${stop.closest(".sentence").querySelector(".number").textContent} comes from `, list];
    }
    const { side } = stop.dataset, k = Number(stop.dataset.k), { span, spans, unsupported } = about(stop);
    if (side === "document") {
      list.append(...spans.map((each) => item("summary", each.span.text, each.probability)));
      const lines = unsupported.map((each) => (
        line(quote("summary", each.text), " ", makeElement("b", "", "differs"), " from ", quote(side, each.document))
      ));
      return [...lines, ...(spans.length ? [quote(side, [k, k + 1]), " is a source of ", list] : [])];
    }
    const quoted = unsupported?.document ? [] : [quote(side, unsupported?.text ?? [0, 0]), " "]; // messages have quotes
    const nodes = unsupported ? [line(...quoted, ...reason(unsupported))] : [];
    if (span) {
      nodes.push(quote(side, span.text), span.sources.length ? " comes from " : " has no source ", list);
      list.append(...span.sources.map((source) => item("document", source.document, source.probability)));
      if (span.null >= 0.005) list.append(makeElement("li", "", `${span.null.toFixed(2)} no source`));
    }
    return nodes;
  }

  // ---- files and citations -----------------------------------------------------------------------------

  function quoted(side, place) {
    return `${quote(side, place).textContent} (${sentenceAt(side, place[0])})`;
  }

  function cite(stops) {
    const { side } = stops[0].dataset, numbers = stops.filter((stop) => stop.dataset.k).map((stop) => Number(stop.dataset.k));
    if (!numbers.length) return [line(...describe(stops[0])).textContent];
    const place = [numbers[0], numbers.at(-1) + 1], name = side === "summary" ? "text" : "document";
    const lines = [`${quote(side, place).textContent} (${data.id}, ${name}, ${sentenceAt(side, place[0])})`];
    if (side === "document") {
      const uses = new Map(numbers.flatMap((k) => ofDocument[k].spans.map((each) => [each.span, each.probability])));
      return [...lines, ...[...uses].map(([span, p]) => `is a source (${p.toFixed(2)}) of ${quoted("summary", span.text)}`)];
    }
    for (const span of new Set(numbers.map((k) => ofText[k].span))) {
      for (const source of span?.sources || []) {
        lines.push(`comes from (${source.probability.toFixed(2)}) ${quoted("document", source.document)}`);
      }
    }
    for (const part of new Set(numbers.map((k) => ofText[k].unsupported))) {
      if (part) lines.push(`${quote("summary", part.text).textContent} ${line(...reason(part)).textContent}`);
    }
    return lines;
  }

  // Return a row for each source of each span of the text, and for what is unsupported.
  function rows() {
    const row = (part, state, source, probability, finding = {}) => ({
      pair: data.id,
      sentence: sentenceOf(part) + 1,
      verdict: verdictOf(data.sentences.find((entry) => entry.sentence === sentenceOf(part)) ?? {}),
      text: quote("summary", part.text).textContent.slice(1, -1),
      state,
      source: source ? quote("document", source).textContent.slice(1, -1) : null,
      source_sentence: source ? sentenceAt("document", source[0]) : null,
      probability,
      kind: finding.kind ?? null,
      severity: finding.severity ?? null,
      message: finding.message ?? null,
      decision: finding.message ? review.of(keyOf(finding)).decision : null,
      note: finding.message ? review.of(keyOf(finding)).note : null,
    });
    const sources = data.spans.flatMap((span) => [
      ...span.sources.map((source) => row(span, "sourced", source.document, source.probability)),
      ...(span.sources.length ? [] : [row(span, "no source", null, span.null)]),
    ]);
    const unsupported = data.unsupported.map((part) => (
      row(part, reasonName(part), part.document, part.document ? null : part.null, part)
    ));
    const others = data.words.map((word) => (
      { ...row(word, word.state, null, null), source_sentence: word.sentence === null ? null : sentenceName("document", word.sentence) }
    ));
    const isShown = (number) => !only.checked || data.sentences.some((entry) => entry.sentence === number && fails(entry));
    return [...sources, ...unsupported, ...others].filter(({ sentence }) => isShown(sentence - 1));
  }

  // Return the text as Markdown: a sentence a paragraph, with footnotes for findings, decisions and sources.
  function markdown() {
    const escape = (text) => text.replace(/([\\`*_{}[\]<>#|~$])/g, "\\$1").replace(/\s+/g, " ");
    const footnotes = [];
    const footnote = (text) => `[^${footnotes.push(escape(text))}]`;
    const paragraphs = data.sentences.map((entry) => {
      const [first, last] = piecesOfSentence("summary", entry.sentence), { w, g } = data.s;
      const pieces = w.slice(first, last).map((text, k) => (k && g[first + k] === "1" ? " " : "") + escape(text));
      for (const part of findingsIn(entry.sentence)) {
        const { decision, note } = review.of(keyOf(part)), said = [decision, note].filter(Boolean).join(": ");
        pieces[part.text[1] - 1 - first] += footnote(`${reasonName(part)} (${part.kind}): ${part.message}${said && ` — ${said}`}`);
      }
      const sources = entry.sources.map(({ sentence, probability }) => (
        footnote(`source: ${sentenceName("document", sentence)} (${probability.toFixed(2)}): ${quote("document", piecesOfSentence("document", sentence)).textContent}`)
      ));
      return `${MARKS[verdictOf(entry)]} ${pieces.join("")}${sources.join("")}`;
    });
    const notes = footnotes.map((text, number) => `[^${number + 1}]: ${text}`);
    return `${[`**${headline()}**`, ...data.notes.map(escape), ...paragraphs, ...notes].join("\n\n")}\n`;
  }

  const hint = "Choose a passage to see where it comes from.";
  const searched = () => (only.checked ? ({ sentences }) => sentences.some(fails) : null);
  const parameters = () => (only.checked ? { only: "failing" } : {});
  const follow = (given) => { only.checked = given.get("only") === "failing"; };
  only.addEventListener("change", chooseAmong);
  const listing = { scoreOf: () => null, doubtOf: () => null, keeps: () => true, searched };
  const settings = { ...listing, parameters, follow, cite, rows, markdown };
  return { hint, inGutter: true, open, makeWord, paint, groupOf, marksOf, describe, ...settings };
}
