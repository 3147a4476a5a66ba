// The app: sends texts and files to the server, and shows its answers. Texts reach the page as the text of nodes; an
// answer is a page of its own, in a frame that cannot reach this one.
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  const form = byId("form"), frame = byId("frame"), result = byId("result");
  const main = document.querySelector("main"), mostBytes = Number(main.dataset.mostBytes);
  const sides = Object.fromEntries([...document.querySelectorAll(".drop")].map((zone) => [zone.dataset.side, {
    zone,
    area: zone.querySelector("textarea"),
    list: zone.querySelector(".files"),
    input: zone.querySelector("input"),
    files: [],
  }]));
  let running = null; // the request that is not answered yet, as its AbortController
  let openedPair = null; // the pair whose texts were put into the form: { id, texts }
  let savedPage = null; // the address of the page that the link saves

  // Return the address of a route, with the token and parameters.
  function address(route, parameters = {}) {
    const token = new URLSearchParams(location.search).get("token");
    return `${route}?${new URLSearchParams({ ...parameters, token })}`;
  }

  function say(message) {
    byId("message").textContent = message;
  }

  // Send a request; return the answer, or throw an error with what the server says.
  async function send(route, parameters, options = {}) {
    let answer;
    try {
      answer = await fetch(address(route, parameters), options);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Error("The app does not answer. Is it still running, and are the files still there?");
    }
    if (!answer.ok) throw new Error((await answer.text()).trim() || `The app answered with ${answer.status}.`);
    return answer;
  }

  // ---- files -------------------------------------------------------------------------------------------

  function listFiles(side) {
    const { area, list, files } = side;
    list.replaceChildren(...files.map((file, number) => {
      const item = document.createElement("li"), remove = document.createElement("button");
      remove.type = "button";
      remove.textContent = "×";
      remove.setAttribute("aria-label", `Remove ${file.name}`);
      remove.addEventListener("click", () => {
        files.splice(number, 1);
        listFiles(side);
        area.focus();
      });
      item.append(file.name, remove);
      return item;
    }));
    area.disabled = side === sides.text && files.length > 0;
  }

  function addFiles(side, files) {
    if (side.input.multiple) side.files.push(...files);
    else side.files = [...files].slice(0, 1);
    listFiles(side);
    say(!side.input.multiple && files.length > 1 ? "One text at a time: the first file is taken." : "");
  }

  for (const side of Object.values(sides)) {
    side.input.addEventListener("change", () => {
      addFiles(side, side.input.files);
      side.input.value = "";
    });
    side.zone.addEventListener("dragover", () => side.zone.classList.add("over"));
    side.zone.addEventListener("dragleave", () => side.zone.classList.remove("over"));
    side.zone.addEventListener("drop", (event) => {
      side.zone.classList.remove("over");
      if (event.dataTransfer.files.length) addFiles(side, event.dataTransfer.files);
    });
  }
  // A file that is dropped beside the two places is opened, and must not replace the page.
  for (const name of ["dragover", "drop"]) {
    window.addEventListener(name, (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      if (name === "drop" && !event.target.closest?.(".drop")) openFiles(droppedFiles(event.dataTransfer));
    });
  }

  // ---- results -----------------------------------------------------------------------------------------

  function showPage(page, name) {
    URL.revokeObjectURL(savedPage);
    savedPage = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    byId("save").href = savedPage;
    byId("save").download = `${name}.html`;
    frame.srcdoc = page;
    result.hidden = false;
    result.scrollIntoView({ block: "start" });
    result.focus({ preventScroll: true });
  }

  function collect(task) {
    const data = new FormData();
    for (const [name, { area, files }] of Object.entries(sides)) {
      const parts = [...(area.value.trim() && !area.disabled ? [area.value] : []), ...files];
      if (!parts.length) throw new Error(name === "document" ? "Paste or drop a document." : "Paste or drop a text.");
      if (task === "align" && name === "document" && parts.length > 1) {
        throw new Error("Links are shown for one document: remove the others, or attribute the text to all of them.");
      }
      for (const part of parts) data.append(name, part);
    }
    checkSize(data);
    if (openedPair && openedPair.texts === pastedTexts()) data.append("title", openedPair.id);
    return data;
  }

  function checkSize(data) {
    const bytes = [...data.values()].reduce((sum, part) => sum + (part.size ?? new Blob([part]).size), 0);
    if (bytes > 0.99 * mostBytes) throw new Error(`These texts have more than ${mostBytes >> 20} MB; send less at once.`);
  }

  // Return what is in the form, as one string; an empty one if there are files.
  function pastedTexts() {
    const all = Object.values(sides);
    return all.some((side) => side.files.length) ? "" : JSON.stringify(all.map((side) => side.area.value));
  }

  async function submit(task) {
    running?.abort();
    const request = running = new AbortController();
    const started = Date.now();
    const clock = setInterval(() => {
      byId("seconds").textContent = `${Math.round((Date.now() - started) / 1000)} s`;
    }, 1000);
    say("");
    byId("cancel").hidden = false;
    byId("progress").textContent = (task === "align" ? "Aligning …" : "Attributing …")
      + (main.dataset.compiling ? " The model is compiled for its first use, which takes about a minute." : "");
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await send(`/${task}`, {}, { method: "POST", body: collect(task), signal: request.signal });
      const page = await answer.text();
      delete main.dataset.compiling;
      if (request === running) showPage(page, task === "align" ? "alignment" : "attribution");
    } catch (error) {
      if (request === running && error.name !== "AbortError") say(error.message);
    } finally {
      clearInterval(clock);
      if (request === running || !running) {
        running = null;
        byId("cancel").hidden = true;
        byId("progress").textContent = byId("seconds").textContent = "";
        form.removeAttribute("aria-busy");
      }
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(event.submitter?.value || "attribute");
  });
  form.addEventListener("keydown", (event) => {
    const both = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (both && event.target.matches("textarea")) submit("attribute");
  });
  byId("cancel").addEventListener("click", () => running?.abort());

  // ---- corpora -----------------------------------------------------------------------------------------

  const corpus = byId("corpus"), search = byId("find"), pairs = byId("pairs");
  let ids = [], shown = null, lists = 0;

  function markShown() {
    for (const item of pairs.children) {
      const current = item.firstChild.textContent === shown;
      item.firstChild.setAttribute("aria-current", String(current));
      if (current) item.scrollIntoView({ block: "nearest" });
    }
    const at = ids.indexOf(shown);
    byId("previous").disabled = at <= 0;
    byId("next").disabled = at + 1 >= ids.length;
  }

  async function listPairs() {
    const request = ++lists;
    const found = await (await send(`/corpora/${corpus.value}`, { find: search.value })).json();
    if (request !== lists) return;
    ids = found.ids;
    pairs.replaceChildren(...ids.map((id) => {
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.textContent = id;
      button.addEventListener("click", () => openPair(id));
      item.append(button);
      return item;
    }));
    const all = ids.length === found.count;
    byId("listed").textContent = all ? `${found.count} found` : `the first ${ids.length} of ${found.count}`;
    markShown();
  }

  // Put the texts of a pair into the form, and show its links; without any, find its sources.
  async function openPair(id) {
    running?.abort();
    running = null;
    shown = id;
    markShown();
    say("");
    try {
      const pair = await (await send(`/corpora/${corpus.value}/pair`, { id })).json();
      if (shown !== id) return;
      for (const [name, side] of Object.entries(sides)) {
        side.files.length = 0;
        listFiles(side);
        side.area.value = pair[name];
      }
      openedPair = { id, texts: pastedTexts() };
      if (pair.page === null) await submit("attribute");
      else showPage(pair.page, "alignment");
    } catch (error) {
      if (shown === id) say(error.message);
    }
  }

  // Show the list of corpora, and the pairs of one of them.
  async function showCorpora(corpora, number) {
    const count = (many, name) => `${many} ${name}${many === 1 ? "" : "s"}`;
    corpus.replaceChildren(...corpora.map(({ name, pairs: many, systems, sources }, k) => {
      const more = sources ? ", sources" : systems ? `, ${count(systems, "system")}` : "";
      return new Option(`${name} (${count(many, "pair")}${more})`, k);
    }));
    corpus.value = String(number);
    byId("opened").hidden = !corpora.length;
    shown = null;
    if (corpora.length) await listPairs();
  }

  // Send files, each group with the texts in the form, which sources may be of; show what was opened of the last.
  async function openFiles(found) {
    say("");
    try {
      const groups = groupFiles(await found);
      if (!groups.length) throw new Error("This folder has no corpus/corpus.jsonl; choose a folder of results, results/<name>.");
      for (const group of groups) {
        const files = new FormData();
        for (const { path, file } of group) files.append("file", file, path);
        checkSize(files);
        const body = withTexts(files);
        const { corpora, shown: number, page } = await (await send("/open", {}, { method: "POST", body })).json();
        await showCorpora(corpora, number ?? Math.max(0, corpus.selectedIndex));
        if (page) showPage(page, "attribution");
      }
    } catch (error) {
      say(error.message);
    }
  }

  // Add the texts of the form, if it has both and there is room for them.
  function withTexts(files) {
    try {
      const all = collect("attribute");
      for (const [name, value] of files) all.append(name, value, value.name);
      checkSize(all);
      return all;
    } catch {
      return files;
    }
  }

  if (byId("annotate")) byId("annotate").href = address("/annotate");
  const explained = (work) => work.catch((error) => say(error.message));
  corpus.addEventListener("change", () => { shown = null; explained(listPairs()); });
  search.addEventListener("input", () => explained(listPairs()));
  byId("previous").addEventListener("click", () => openPair(ids[ids.indexOf(shown) - 1]));
  byId("next").addEventListener("click", () => openPair(ids[ids.indexOf(shown) + 1]));
  for (const input of [byId("open-files"), byId("open-folder")]) {
    input.addEventListener("change", () => {
      const files = chosenFiles(input.files);
      input.value = "";
      openFiles(files);
    });
  }
  explained(send("/corpora", {}).then((answer) => answer.json()).then(({ corpora }) => showCorpora(corpora, 0)));
})();
