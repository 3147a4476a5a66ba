// Storage of the browser, for what readers and annotators of a page from disk decide.
"use strict";

// A storage for pages whose browser offers none, such as those in a notebook: it forgets when the page closes.
function memoryStorage() {
  const items = new Map();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => items.set(key, value),
    removeItem: (key) => items.delete(key),
  };
}

// Return { storage, lasting }: whether it is still there after the page is closed.
function openStorage() {
  try {
    localStorage.setItem("vorlage", "");
    return { storage: localStorage, lasting: true };
  } catch {
    return { storage: memoryStorage(), lasting: false };
  }
}
