// The view of attributions: shows the sources of the phrases and sentences of a text, and what is unsupported.
//
// The words of this view are pieces of sentences, between which spans begin and end; they are made in
// pipeline/vorlage/attribution/viewer_data.py.
"use strict";

function attributionView({ part, words, makeElement, repaint, pin, bring }) {
  const MARKS = { supported: "✓", unclear: "?", unsupported: "✗", "no statement": "·" };
  const findings = part("findings"), review = makeReview(makeElement, repaint);
  findings.addEventListener("click", (event) => event.stopPropagation()); // what is pinned stays
  let data = null; // the text that is shown
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
    const weak = verdict === "unclear" ? ["little in the document supports it"] : [];
    return checked ? [...weak, `words to check: ${checked}`] : weak;
  }

  function passes(entry) {
    return verdictOf(entry) === "supported" && entry.marks.every(([, , kind]) => kind === "right");
  }

  function headline() {
    const statements = data.sentences.filter(({ verdict }) => verdict !== "no statement"), all = statements.length;
    if (!all) return "nothing to check";
    const supported = statements.filter(passes).length;
    const line = `${supported} of ${all} ${all === 1 ? "statement" : "statements"} supported`;
    return supported < all ? `${line}; ${all - supported} to check` : line;
  }

  // Return an item of the list of findings.
  function findingItem(finding) {
    const { decision } = review.of(keyOf(finding)), entry = makeElement("li", `finding ${decision.replaceAll(" ", "-")}`);
    const button = makeElement("button", "say");
    button.type = "button";
    const said = finding.kind === "no source" ? quote("summary", finding.text) : finding.message;
    button.append(`${sentenceOf(finding) + 1}: `, label(finding), " ", said);
    button.addEventListener("click", () => pin(words.summary[finding.text[0]]));
    entry.append(button, " ", review.controls(keyOf(finding), quote("summary", finding.text).textContent));
    return entry;
  }

  function listFindings() {
    const open = findings.querySelector("details")?.open, focused = document.activeElement.getAttribute("aria-label");
    const grave = data.unsupported.filter(({ severity }) => severity > 1);
    const rest = data.unsupported.filter(({ severity }) => severity === 1);
    const folded = makeElement("details"), list = makeElement("ul"), last = makeElement("li");
    folded.append(makeElement("summary", "", `Words to check: ${rest.length}`), list);
    folded.open = Boolean(open);
    list.append(...rest.map(findingItem));
    last.append(folded);
    findings.replaceChildren(...grave.map(findingItem), ...(rest.length ? [last] : []));
    part("summary").prepend(findings);
    if (focused) [...findings.querySelectorAll("[aria-label]")].find((each) => each.ariaLabel === focused)?.focus();
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
  function sentenceStop(className, text, label) {
    const button = makeElement("span", `stop ${className}`, text);
    button.setAttribute("role", "button");
    button.dataset.side = "summary";
    if (label) button.setAttribute("aria-label", label);
    return button;
  }

  // Add the verdict on each sentence and its sources, and list what is unsupported. Returns the line of counts.
  function paint() {
    const sentences = [...part("summary").querySelectorAll(".sentence")];
    data.sentences.forEach((entry, number) => {
      const { sentence, supported, linked, judged, sources } = entry, verdict = verdictOf(entry);
      const paragraph = sentences[sentence], support = makeElement("span", "support");
      if (verdict === "no statement") return; // a heading, a greeting
      const label = `sentence ${sentence + 1}: ${verdict}`;
      const mark = sentenceStop(`mark ${verdict}`, MARKS[verdict], label);
      mark.title = [verdict, ...reasonsOf(entry)].join("; ");
      mark.dataset.verdict = number;
      const probability = makeElement("span", verdict === "supported" ? "" : "weak", "supported ");
      probability.append(decimals(supported));
      const share = makeElement("span", linked < 0.5 ? "weak" : "", `words with a source ${Math.round(100 * linked)} %`);
      support.append(mark, probability, share);
      if (judged !== null) {
        const opinion = makeElement("span", judged < 0.5 ? "weak" : "", "judge ");
        opinion.append(decimals(judged));
        support.append(opinion);
      }
      for (const [mark, said, kind] of entry.marks) {
        support.append(makeElement("span", kind === "right" ? "" : "weak", `${mark} ${said}`));
      }
      for (const source of sources) {
        const button = sentenceStop("source", `${sentenceName("document", source.sentence)} `);
        button.append(decimals(source.probability));
        Object.assign(button.dataset, { sentence: source.sentence, probability: source.probability });
        support.append(button);
      }
      paragraph.querySelector(".support")?.remove();
      paragraph.append(support);
    });
    listFindings();
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
    const contradictions = (place) => marksAt(place, "contradicts", "curve-contradicts");
    if (stop.dataset.verdict) {
      const { sentence, sources } = data.sentences[stop.dataset.verdict];
      return [
        ...findingsIn(sentence).flatMap((part) => (part.document && part.severity > 1 ? contradictions(part.document) : [])),
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
      ...(unsupported?.document && unsupported.severity > 1 ? contradictions(unsupported.document) : []),
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
      return [`sentence ${stop.closest(".sentence").querySelector(".number").textContent} comes from`, list];
    }
    const { side } = stop.dataset, k = Number(stop.dataset.k), { span, spans, unsupported } = about(stop);
    if (side === "document") {
      list.append(...spans.map((each) => item("summary", each.span.text, each.probability)));
      const lines = unsupported.map((each) => (
        line(quote("summary", each.text), " ", makeElement("b", "", "differs"), " from ", quote(side, each.document))
      ));
      return [...lines, ...(spans.length ? [quote(side, [k, k + 1]), " is a source of", list] : [])];
    }
    const quoted = unsupported?.document ? [] : [quote(side, unsupported?.text ?? [0, 0]), " "]; // messages have quotes
    const nodes = unsupported ? [line(...quoted, ...reason(unsupported))] : [];
    if (span) {
      nodes.push(quote(side, span.text), span.sources.length ? " comes from" : " has no source", list);
      list.append(...span.sources.map((source) => item("document", source.document, source.probability)));
      const none = makeElement("li");
      none.append(decimals(span.null), " no source");
      list.append(none);
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
    return [...sources, ...unsupported, ...others];
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

  const hint = "Click on a passage, or move with the arrow keys and press Enter, to see where it comes from.";
  const listing = { scoreOf: () => null, doubtOf: () => null, keeps: () => true, searched: () => null };
  const settings = { ...listing, parameters: () => ({}), follow: () => {}, cite, rows, markdown };
  return { hint, inGutter: true, open, makeWord, paint, groupOf, marksOf, describe, ...settings };
}
