// Sharing what is seen: copies links and citations, and saves what is shown of a pair as a file.
"use strict";

// pairId(), address() and active() are the id, the address and the chosen stop of what is shown.
function sharing({ root, part, view, words, pairId, address, active }) {
  function say(message) {
    part("shared").textContent = message;
  }

  // Return the stops that the reader has selected in one pane, or else the chosen stop with its group.
  function quoted() {
    const selected = selectedAmong(Object.values(words).flat());
    const found = selected.length || !active() ? selected : view.groupOf(active());
    return found.filter((stop) => stop.dataset.side === found[0].dataset.side);
  }

  // Copy a text. Returns false if the browser does not allow it. The frame of a notebook may not use the clipboard of
  // the browser, but it may copy what is selected.
  async function copy(text) {
    if (location.protocol !== "about:" && navigator.clipboard) {
      return navigator.clipboard.writeText(text).then(() => true, () => copySelected(text));
    }
    return copySelected(text);
  }

  function copySelected(text) {
    const focused = document.activeElement, area = makeElement("textarea", "copied");
    area.value = text;
    root.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    focused.focus();
    return done;
  }

  async function copyAndSay(text, done) {
    say((await copy(text)) ? done : `The browser does not let this page copy; here it is: ${text}`);
  }

  function save(ending, type, text) {
    const link = makeElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = `${pairId().replace(/[^\p{L}\p{N}_-]+/gu, "_").slice(0, 80) || "pair"}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(`Saved as ${link.download}.`);
  }

  // Return rows as lines of tab-separated values below a header. A cell that a spreadsheet would take for a formula
  // begins with an apostrophe, which the spreadsheet does not show.
  function asTable(rows) {
    const cell = (value) => {
      const text = String(value ?? "").replace(/\s+/g, " ");
      return typeof value === "string" && /^[=+\-@]/.test(text) ? `'${text}` : text;
    };
    const columns = Object.keys(rows[0] || {});
    const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
    return lines.map((line) => `${line.map(cell).join("\t")}\n`).join("");
  }

  part("copy-link").addEventListener("click", () => copyAndSay(address(), "The link was copied."));
  part("copy-citation").addEventListener("click", () => {
    const stops = quoted();
    if (!stops.length) return say("Select a passage or pin a word first.");
    const lines = view.cite(stops).join("\n");
    copyAndSay(part("copy-link").hidden ? lines : `${lines}\n${address()}`, "The citation was copied.");
  });
  part("save-json").addEventListener("click", () => {
    const content = { pair: pairId(), ...view.parameters(), rows: view.rows() };
    save("json", "application/json", `${JSON.stringify(content, null, 1)}\n`);
  });
  part("save-markdown")?.addEventListener("click", () => save("md", "text/markdown", view.markdown()));
  part("save-tsv").addEventListener("click", () => save("tsv", "text/tab-separated-values", asTable(view.rows())));
  return { clear: () => say("") };
}

// Return those of some elements that the reader has selected, or an empty list.
function selectedAmong(elements) {
  const selection = getSelection();
  if (selection.isCollapsed || !selection.rangeCount) return [];
  const range = selection.getRangeAt(0);
  return elements.filter((element) => range.intersectsNode(element));
}

// Return runs [first, end] of successive numbers.
function runsOf(numbers) {
  const runs = [];
  for (const k of [...numbers].sort((x, y) => x - y)) {
    if (runs.length && runs.at(-1)[1] === k) runs.at(-1)[1] = k + 1;
    else runs.push([k, k + 1]);
  }
  return runs;
}

// Return the words of a text from first to end, as they stand there.
function quoteText({ w, g }, [first, end]) {
  const pieces = w.slice(first, end).map((word, k) => (k && g[first + k] === "1" ? ` ${word}` : word));
  return `“${pieces.join("")}”`;
}
