// Names and keyboard access that the theme lacks: axe-core asks for them.
addEventListener("load", () => {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset .wide, math[display=block]")) box.tabIndex = 0;
  document.querySelectorAll(".md-code__nav").forEach((nav, k) => nav.setAttribute("aria-label", `Code ${k + 1}`));
});
