// Search in the texts of pairs. These functions do not touch the page.
"use strict";

// Return the words of a text in lower case with the white space between them: { text, starts }.
function joinWords({ w, g }) {
  const starts = [];
  let text = "";
  w.forEach((word, k) => {
    if (k && g[k] === "1") text += " ";
    starts.push(text.length);
    text += word.toLowerCase();
  });
  return { text, starts };
}

// Return what to search for: case and the amount of white space do not matter.
function asWanted(text) {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

// Return the words of a text that hold a part of an occurrence of `wanted`.
function wordsWith(content, wanted) {
  const { text, starts } = joinWords(content), found = new Set();
  if (!wanted) return found;
  let k = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    while (k + 1 < starts.length && starts[k + 1] <= at) k++;
    for (let end = k; end < starts.length && starts[end] < at + wanted.length; end++) found.add(end);
  }
  return found;
}

function containsText(data, wanted) {
  return [data.s, data.d].some((content) => joinWords(content).text.includes(wanted));
}

// Return those of the numbered pairs whose data pass a test, or null if `isStale` says that nobody waits for them.
async function searchPairs(numbers, unpack, test, isStale, progress) {
  const found = [];
  for (const [done, number] of numbers.entries()) {
    const data = await unpack(number);
    if (isStale()) return null;
    if (test(data)) found.push(number);
    if (done % 50 === 49) {
      progress(done + 1);
      await new Promise((resolve) => { setTimeout(resolve); }); // let the page answer
    }
  }
  return found;
}

// Sort numbers of pairs by a value, those without one last; equal ones keep their order.
function sortBy(numbers, value, descending) {
  const key = (number) => {
    const found = value(number);
    return found === null || found === undefined ? Infinity : descending ? -found : found;
  };
  return [...numbers].sort((x, y) => (key(x) === key(y) ? x - y : key(x) - key(y)));
}
