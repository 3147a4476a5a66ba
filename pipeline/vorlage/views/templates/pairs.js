// The list of pairs: which of them pass the filters, in what order, and the controls that choose one.
"use strict";

const MOST_SUGGESTED = 50; // ids that the search suggests

// unpack(number) returns the data of a pair, show(number) shows it, shown() returns the number of the pair that is shown,
// and refresh() shows the same one under other settings.
function pairList({ index, part, view, unpack, show, shown, refresh }) {
  const controls = { search: part("search"), order: part("order"), contains: part("contains") };
  let order = index.pairs.map((_, number) => number), listings = 0;

  function wanted() {
    return asWanted(controls.contains.value);
  }

  // List the pairs that pass the filters, in the chosen order. Returns false if another list was asked for meanwhile.
  async function list() {
    const request = ++listings, text = wanted(), searched = view.searched();
    let numbers = index.pairs.map((_, number) => number).filter((number) => view.keeps(index.pairs[number]));
    const value = { worst: view.scoreOf, doubt: view.doubtOf }[controls.order.value];
    if (value) numbers = sortBy(numbers, (number) => value(index.pairs[number]), controls.order.value === "doubt");
    if (text || searched) {
      const progress = (done) => { part("place").textContent = `searched ${done} of ${numbers.length}`; };
      const test = (data) => (!text || containsText(data, text)) && (!searched || searched(data));
      numbers = await searchPairs(numbers, unpack, test, () => request !== listings, progress);
      if (!numbers) return false;
    }
    order = numbers;
    part("message").textContent = order.length ? "" : "Nothing passes the filters.";
    place();
    return true;
  }

  // List the pairs again, and show the first one, or keep the pair that is shown if it is still listed.
  async function choose(keep = true) {
    refresh();
    if ((await list()) && order.length && !(keep && order.includes(shown()))) await show(order[0]);
  }

  // Say where the pair that is shown is in the list, and in how many places it has what is searched for.
  function place() {
    const position = order.indexOf(shown()), score = view.scoreOf(index.pairs[shown()]);
    const all = order.length === index.pairs.length ? "" : ` (all: ${index.pairs.length})`;
    const where = position < 0 ? `not among ${order.length}` : `${position + 1} of ${order.length}`;
    const found = wanted() ? `${document.querySelectorAll(".word.found").length} words found` : "";
    const listed = index.pairs.length > 1 ? where + all + (score === null ? "" : `, F ${score.toFixed(2)}`) : "";
    part("place").textContent = [listed, found].filter(Boolean).join("; ");
    part("previous").disabled = position <= 0;
    part("next").disabled = position === order.length - 1;
  }

  function step(by) {
    const position = order.indexOf(shown()) + by; // the pair before the first one is one that is not listed
    if (position >= 0 && position < order.length) show(order[position]);
  }

  // Return the number of a pair, or −1 with a message if it is not on this page.
  function find(id) {
    const number = index.pairs.findIndex((pair) => pair.id === id);
    part("message").textContent = number < 0 ? `This page does not show a pair with the id ${id}.` : "";
    return number;
  }

  function suggest() {
    const typed = controls.search.value.toLowerCase();
    const matching = index.pairs.filter((pair) => pair.id.toLowerCase().includes(typed)).slice(0, MOST_SUGGESTED);
    part("ids").replaceChildren(...matching.map((pair) => new Option(pair.id)));
  }

  function parameters() {
    return controls.contains.value.trim() ? { contains: controls.contains.value.trim() } : {};
  }

  function follow(given) {
    controls.contains.value = given.get("contains") || "";
  }

  controls.order.addEventListener("change", () => choose(false));
  controls.contains.addEventListener("change", () => choose());
  controls.contains.addEventListener("search", () => { if (!controls.contains.value) choose(); }); // it was cleared
  controls.search.addEventListener("input", suggest);
  controls.search.addEventListener("change", () => {
    const id = controls.search.value.trim();
    if (!id) controls.search.value = index.pairs[shown()].id;
    const number = id ? find(id) : -1;
    if (number >= 0 && number !== shown()) show(number);
  });
  part("previous").addEventListener("click", () => step(-1));
  part("next").addEventListener("click", () => step(1));

  return { list, choose, place, step, find, wanted, parameters, follow, first: () => order[0] };
}
