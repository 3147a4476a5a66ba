// What a reader says about the findings of a text: each a real error or not, with a note. It is kept in this browser
// under the digest of the texts.
"use strict";

// `changed` is called after each decision, but not after a note: its field must stay while the reader clicks elsewhere.
function makeReview(makeElement, changed) {
  const { storage, lasting } = openStorage();
  const place = lasting ? "kept in this browser" : "kept until the page closes; save it as a file";
  let name = "", decisions = {};

  function open(digest) {
    name = `vorlage review ${digest}`;
    decisions = JSON.parse(storage.getItem(name) ?? "{}");
  }

  function of(key) {
    return decisions[key] ?? { decision: "", note: "" };
  }

  function set(key, part) {
    decisions[key] = { ...of(key), ...part };
    storage.setItem(name, JSON.stringify(decisions));
  }

  // Return an element with which a reader decides about a finding; the note appears with a decision.
  function controls(key, label) {
    const { decision, note } = of(key);
    const buttons = ["real error", "not an error"].map((value) => {
      const button = makeElement("button", "decide", value);
      button.type = "button";
      button.title = place;
      button.setAttribute("aria-pressed", String(decision === value));
      button.setAttribute("aria-label", `${value}: ${label}`);
      button.addEventListener("click", () => {
        set(key, { decision: decision === value ? "" : value });
        changed();
      });
      return button;
    });
    const input = makeElement("input");
    Object.assign(input, { type: "text", value: note, placeholder: "note", hidden: !decision });
    input.setAttribute("aria-label", `note on ${label}`);
    input.addEventListener("change", () => set(key, { note: input.value }));
    const all = makeElement("span", "controls");
    all.append(...buttons, input);
    return all;
  }

  return { open, of, controls };
}
