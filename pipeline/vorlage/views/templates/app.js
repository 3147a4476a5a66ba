// The app: sends texts to the server, and shows its answers and the pairs of a corpus. Texts reach the page as the text
// of nodes; an answer is a page of its own, in a frame that cannot reach this one.
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  const form = byId("form"), main = document.querySelector("main"), maxBytes = Number(main.dataset.maxBytes);
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

  // Return a list item with a button, and its button.
  function itemWithButton(text, label, action) {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", action);
    item.append(...(text ? [text] : []), button);
    return { item, button };
  }

  // ---- files -------------------------------------------------------------------------------------------

  // Return a text that was pasted, as a file.
  const pasted = (text, name) => Object.assign(new File([text], name), { pasted: true });

  // Return a field with the name of a document that was pasted.
  function nameField(files, number) {
    const field = document.createElement("input");
    field.value = files[number].name;
    field.setAttribute("aria-label", "Name of the document");
    field.addEventListener("change", () => { files[number] = pasted(files[number], field.value.trim() || files[number].name); });
    return field;
  }

  function outdate() {
    byId("stale").textContent = "of the texts before your changes";
  }

  function listFiles(side) {
    outdate();
    const { area, list, files } = side;
    list.replaceChildren(...files.map((file, number) => {
      const { item, button } = itemWithButton(file.pasted ? nameField(files, number) : file.name, "×", () => {
        files.splice(number, 1);
        listFiles(side);
        area.focus();
      });
      button.setAttribute("aria-label", `Remove ${file.name}`);
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

  form.addEventListener("input", outdate);
  window.addEventListener("hashchange", () => { byId("texts").open = location.hash !== "#result"; });
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
  // A dropped file must not replace the page.
  for (const name of ["dragover", "drop"]) {
    window.addEventListener(name, (event) => {
      if ([...event.dataTransfer.types].includes("Files")) event.preventDefault();
    });
  }

  byId("another").addEventListener("click", () => {
    const { area, files } = sides.document;
    if (area.value.trim()) {
      files.push(pasted(area.value, `document ${files.length + 1}`));
      area.value = "";
      listFiles(sides.document);
    }
    area.focus();
  });
  // Put a text into each side of the form.
  function fill(textOf) {
    for (const [name, side] of Object.entries(sides)) {
      side.files.length = 0;
      listFiles(side);
      side.area.value = textOf(name);
    }
  }

  byId("try").addEventListener("click", () => {
    fill((name) => byId("example").content.querySelector(`[data-side="${name}"]`).textContent);
    submit("attribute");
  });

  // A page of a file, which the result links to, is opened from what was dropped.
  window.addEventListener("message", ({ source, data }) => {
    const file = sides.document.files.find(({ name }) => name === data.name);
    if (source !== byId("frame").contentWindow || !file) return;
    window.open(`${URL.createObjectURL(file)}#page=${Number(data.page)}`, "_blank", "noopener");
  });

  // ---- results -----------------------------------------------------------------------------------------

  function showPage(page, name) {
    URL.revokeObjectURL(savedPage);
    savedPage = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    Object.assign(byId("save"), { href: savedPage, download: `${name}.html` });
    byId("result").hidden = byId("texts").open = false;
    byId("stale").textContent = "";
    location.hash = "result"; // on a phone, the result fills the screen until one goes back
    const frame = byId("frame").cloneNode(); // a new one adds no step to the history
    frame.srcdoc = page;
    byId("frame").replaceWith(frame);
    byId("result").scrollIntoView({ block: "nearest" });
    byId("result").focus({ preventScroll: true });
  }

  function collect(task) {
    const data = new FormData();
    let bytes = 0;
    for (const [name, { area, files }] of Object.entries(sides)) {
      const parts = [...(area.value.trim() && !area.disabled ? [area.value] : []), ...files];
      if (!parts.length) throw new Error(name === "document" ? "Paste or drop a document." : "Paste or drop a text.");
      if (task === "align" && name === "document" && parts.length > 1) {
        throw new Error("Links are shown for one document: remove the others, or check the sources in all of them.");
      }
      for (const part of parts) {
        data.append(name, part);
        bytes += part.size ?? new Blob([part]).size;
      }
    }
    if (bytes > 0.99 * maxBytes) throw new Error(`These texts have more than ${maxBytes >> 20} MB; send less at once.`);
    if (openedPair && openedPair.texts === pastedTexts()) data.append("title", openedPair.id);
    return data;
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
    byId("progress").textContent = task === "align" ? "Aligning …" : "Checking …";
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await send(`/${task}`, {}, { method: "POST", body: collect(task), signal: request.signal });
      const page = await answer.text();
      if (request !== running) return;
      showPage(page, task === "align" ? "alignment" : "attribution");
      say(decodeURIComponent(answer.headers.get("Vorlage-Notes")));
    } catch (error) {
      if (request !== running || error.name === "AbortError") return;
      say(error.message);
      byId("texts").open = true;
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

  // ---- the pairs of a corpus ---------------------------------------------------------------------------

  const list = byId("pairs");
  let ids = [], shown = null, requests = 0;

  function markShown() {
    for (const { firstChild: button } of list.children) {
      const current = button.textContent === shown;
      button.setAttribute("aria-current", String(current));
      if (current) button.scrollIntoView({ block: "nearest" });
    }
    const at = ids.indexOf(shown);
    byId("previous").disabled = at <= 0;
    byId("next").disabled = at + 1 >= ids.length;
  }

  async function listPairs() {
    const request = ++requests;
    const { ids: listed, count } = await (await send("/pairs", { find: byId("find").value })).json();
    if (request !== requests) return;
    ids = listed;
    list.replaceChildren(...ids.map((id) => itemWithButton("", id, () => openPair(id)).item));
    byId("listed").textContent = ids.length === count ? `${count} found` : `the first ${ids.length} of ${count}`;
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
      const pair = await (await send("/pair", { id })).json();
      if (shown !== id) return;
      fill((name) => pair[name]);
      openedPair = { id, texts: pastedTexts() };
      if (pair.page === null) await submit("attribute");
      else showPage(pair.page, "alignment");
    } catch (error) {
      if (shown === id) say(error.message);
    }
  }

  if (!list) return;
  if (byId("annotate")) byId("annotate").href = address("/annotate");
  const listAndSay = () => listPairs().catch((error) => say(error.message));
  byId("find").addEventListener("input", listAndSay);
  byId("previous").addEventListener("click", () => openPair(ids[ids.indexOf(shown) - 1]));
  byId("next").addEventListener("click", () => openPair(ids[ids.indexOf(shown) + 1]));
  listAndSay();
})();
