// The two texts on the page: words as options of two list boxes, a cursor and a selection on each side.
"use strict";

// Make one side from an element. `onSelect` is called after each change of the selection by the annotator.
function makeSide(pane, side, onSelect) {
  let words = [], anchor = 0, focus = 0, span = null;

  function fill(text) {
    words = fillPane(pane, side, { ...text, h: [] }, (_, k, word) => {
      const option = makeElement("span", "word", word);
      option.tabIndex = -1;
      option.setAttribute("role", "option");
      return option;
    });
    pane.querySelectorAll(".sentence").forEach((sentence, number) => {
      sentence.setAttribute("role", "group");
      sentence.setAttribute("aria-label", `sentence ${number + 1}`);
      sentence.querySelector(".number").setAttribute("aria-hidden", "true");
    });
    span = null;
    place(0);
    show();
  }

  // Move the cursor, without selecting.
  function place(k) {
    if (words[focus]) words[focus].tabIndex = -1;
    anchor = focus = Math.max(0, Math.min(k, words.length - 1));
    words[focus].tabIndex = 0;
  }

  function show() {
    words.forEach((word, k) => {
      const selected = Boolean(span) && span[0] <= k && k < span[1];
      word.classList.toggle("selected", selected);
      word.setAttribute("aria-selected", String(selected));
    });
  }

  // Select the word k, or with `extend` from the anchor to k.
  function select(k, extend = false) {
    const kept = anchor;
    place(k);
    if (extend) anchor = kept;
    span = [Math.min(anchor, focus), Math.max(anchor, focus) + 1];
    show();
    onSelect(side);
  }

  function selectSpan([first, end]) {
    place(end - 1);
    anchor = first;
    span = [first, end];
    show();
    bring(words[first]);
  }

  function clear() {
    span = null;
    anchor = focus;
    show();
  }

  function bring(word) {
    if (word && !isVisible(word)) reveal(word);
  }

  function focusCursor() {
    words[focus].focus({ preventScroll: true });
    bring(words[focus]);
  }

  // Return the word in the line above (by -1) or below (by 1) that is nearest to the cursor.
  function inNextLine(by) {
    const from = words[focus].getBoundingClientRect();
    let line = null, best = focus, distance = Infinity;
    for (let k = focus + by; k >= 0 && k < words.length; k += by) {
      const box = words[k].getBoundingClientRect();
      if (line === null && Math.abs(box.top - from.top) > from.height / 2) line = box.top;
      if (line === null) continue;
      if (Math.abs(box.top - line) > box.height / 2) break;
      if (Math.abs(box.left - from.left) < distance) { best = k; distance = Math.abs(box.left - from.left); }
    }
    return best;
  }

  // Return the first word of the next sentence (by 1), or of this one and then of the one before it (by -1).
  function nextSentence(by) {
    const starts = [...pane.querySelectorAll(".number + p > .word:first-child")].map((word) => Number(word.dataset.k));
    return (by > 0 ? starts.find((k) => k > focus) : starts.findLast((k) => k < focus)) ?? focus;
  }

  // Return the word that a key moves to, or null for other keys.
  function target(event) {
    const far = event.ctrlKey || event.metaKey;
    const ends = () => {
      const own = words[focus].parentNode.querySelectorAll(".word");
      return far ? [0, words.length - 1] : [Number(own[0].dataset.k), Number(own[own.length - 1].dataset.k)];
    };
    switch (event.key) {
      case "ArrowRight": return focus + 1;
      case "ArrowLeft": return focus - 1;
      case "ArrowDown": return inNextLine(1);
      case "ArrowUp": return inNextLine(-1);
      case "PageDown": return nextSentence(1);
      case "PageUp": return nextSentence(-1);
      case "Home": return ends()[0];
      case "End": return ends()[1];
      default: return null;
    }
  }

  const wordAt = (event) => event.target.closest(".word");
  let byTouch = false; // a finger scrolls, so it selects where it has not moved: by a click
  pane.addEventListener("pointerdown", (event) => {
    const word = wordAt(event);
    byTouch = event.pointerType === "touch";
    if (word && !byTouch && event.button === 0) {
      event.preventDefault(); // the browser would select text
      select(Number(word.dataset.k), event.shiftKey);
      focusCursor();
    }
  });
  pane.addEventListener("pointerover", (event) => {
    const word = wordAt(event);
    if (word && !byTouch && event.buttons === 1 && span) select(Number(word.dataset.k), true);
  });
  pane.addEventListener("click", (event) => {
    const word = wordAt(event);
    if (word && byTouch) select(Number(word.dataset.k));
  });
  pane.addEventListener("focusin", (event) => {
    const word = wordAt(event);
    if (word && !span) select(Number(word.dataset.k));
  });
  pane.addEventListener("keydown", (event) => {
    const k = wordAt(event) ? target(event) : null;
    if (k === null) return;
    event.preventDefault();
    select(k, event.shiftKey);
    focusCursor();
  });

  return {
    fill, place, select, selectSpan, clear, focusCursor,
    extend() {
      if (!span) return;
      anchor = span[0];
      select(span[1], true);
    },
    get span() { return span; },
    get cursor() { return focus; },
    get words() { return words; },
  };
}
