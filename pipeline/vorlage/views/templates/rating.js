// The page on which people rate extracts or decompositions: keeps each rating in the browser, and downloads them.
"use strict";

(() => {
  const root = document.getElementById("rating");
  const config = JSON.parse(document.getElementById("config").textContent);
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const { storage, lasting } = openStorage();
  const items = [...root.querySelectorAll("fieldset")];
  const key = (item) => `vorlage ${config.digest} ${annotator()} ${item.dataset.id} ${item.dataset.sentence} ${item.dataset.system}`;
  const annotator = () => part("annotator").value.trim();

  function showProgress() {
    const rated = items.filter((item) => item.querySelector(":checked")).length;
    part("progress").value = rated;
    part("place").textContent = `${rated} of ${items.length} rated`;
    part("next").disabled = !annotator() || rated === items.length;
  }

  // Show the ratings of the annotator.
  function begin() {
    part("items").hidden = !annotator();
    part("message").textContent = annotator() ? "" : "Enter your name as annotator to begin.";
    for (const item of items) {
      const rating = annotator() ? storage.getItem(key(item)) : null;
      for (const input of item.querySelectorAll("input")) input.checked = input.value === rating;
    }
    if (annotator()) storage.setItem("vorlage annotator", annotator());
    if (!lasting) part("message").textContent = "This browser keeps nothing for this page: download your work before you close it.";
    showProgress();
  }

  part("annotator").addEventListener("change", begin);
  part("items").addEventListener("change", (event) => {
    storage.setItem(key(event.target.closest("fieldset")), event.target.value);
    showProgress();
  });
  part("items").addEventListener("submit", (event) => event.preventDefault());
  part("next").addEventListener("click", () => {
    const item = items.find((each) => !each.querySelector(":checked"));
    item.scrollIntoView({ block: "center" });
    item.querySelector("input").focus({ preventScroll: true });
  });
  part("download").addEventListener("click", () => {
    const lines = items.filter((item) => item.querySelector(":checked")).map((item) => JSON.stringify({
      id: item.dataset.id, sentence: Number(item.dataset.sentence), form: config.form, system: item.dataset.system,
      annotator: annotator(), rating: Number(item.querySelector(":checked").value),
    }) + "\n");
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(new Blob(lines, { type: "application/jsonl" }));
    anchor.download = "ratings.jsonl";
    anchor.click();
  });
  part("annotator").value = config.annotator || storage.getItem("vorlage annotator") || "";
  begin();
})();
