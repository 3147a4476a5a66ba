// Where annotations are kept: the gold file behind an app, or this browser for a page from disk.
//
// Both stores have the same functions. `save` throws Refused, with the other version, if the line has changed since it
// was read, and any other error if it could not be kept. `lasting`: whether lines are kept when the page is closed.
"use strict";

class Refused extends Error {
  constructor(message, other) {
    super(message);
    this.other = other; // { line, revision }
  }
}

function appStore() {
  // Return the address of a route, with the token that the address of this page has, if the app wants one.
  function address(route, parameters = {}) {
    const token = new URLSearchParams(location.search).get("token");
    return `annotate/${route}?${new URLSearchParams(token === null ? parameters : { ...parameters, token })}`;
  }
  async function ask(route, parameters, options) {
    let answer;
    try {
      answer = await fetch(address(route, parameters), options);
    } catch {
      throw new Error("the app does not answer");
    }
    const text = await answer.text();
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      throw new Error(text.slice(0, 200) || `the app answers with status ${answer.status}`);
    }
    if (answer.status === 409) throw new Refused(value.error, value);
    if (!answer.ok) throw new Error(value.error);
    return value;
  }
  return {
    lasting: true,
    index: (annotator) => ask("index", { annotator }),
    pair: (id, annotator) => ask("pair", { id, annotator }),
    agreement: (skip) => ask("agreement", { skip }),
    goldAddress: () => address("gold"),
    async save(line, revision) {
      const body = JSON.stringify({ line, revision });
      return (await ask("save", {}, { method: "POST", headers: { "Content-Type": "application/json" }, body })).revision;
    },
  };
}

// `page`: what Python has put into the page: the index, the pairs, the lines of its gold file, the corpus' digest. The
// revision of a line is its text.
function diskStore(page, storage, lasting) {
  const key = (annotator, id) => JSON.stringify([annotator, id]);
  const name = (annotator, id) => `vorlage ${page.digest} ${key(annotator, id)}`;
  const given = new Map(page.gold.map((line) => [key(line.annotator, line.id), JSON.stringify(line)]));
  const orderName = `vorlage ${page.digest} order`; // of lines that are not in the gold file: the keys, as JSON
  const savedOrder = () => JSON.parse(storage.getItem(orderName) ?? "[]");
  const text = (id, annotator) => storage.getItem(name(annotator, id)) ?? given.get(key(annotator, id)) ?? "";
  const version = (found) => ({ line: found ? JSON.parse(found) : null, revision: found });
  // Return the lines of all annotators in the order of a gold file, in which each was saved first.
  const allLines = () => [...given.keys(), ...savedOrder()].map((found) => {
    const [annotator, id] = JSON.parse(found);
    return JSON.parse(text(id, annotator));
  });
  return {
    lasting,
    async index(annotator) {
      const pairs = page.index.pairs.map((pair) => {
        const found = text(pair.id, annotator);
        if (!found) return { ...pair };
        const line = JSON.parse(found);
        return { ...pair, finished: line.finished !== false, seconds: line.seconds };
      });
      return { ...page.index, pairs };
    },
    async pair(id, annotator) {
      return { ...page.pairs.get(id), ...version(text(id, annotator)) };
    },
    async agreement(skip) {
      return compareAnnotators(allLines(), page.pairs, skip, page.index.adjudicator);
    },
    async save(line, revision) {
      const written = JSON.stringify(line), found = text(line.id, line.annotator);
      if (found !== revision && found !== written) {
        throw new Refused("another tab has another version of this annotation", version(found));
      }
      storage.setItem(name(line.annotator, line.id), written);
      if (!found) storage.setItem(orderName, JSON.stringify([...savedOrder(), key(line.annotator, line.id)]));
      return written;
    },
    // The address of the gold file to download: the one that the page was made with, and the annotator's lines.
    goldAddress(annotator) {
      const lines = allLines().filter((line) => line.annotator === annotator || given.has(key(line.annotator, line.id)));
      return URL.createObjectURL(new Blob(lines.map((line) => `${JSON.stringify(line)}\n`), { type: "application/jsonl" }));
    },
  };
}
