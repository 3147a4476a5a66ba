// Where words are in their panes: scrolls to them, and draws curves between them.
"use strict";

function paneOf(element) {
  return element.closest(".reading");
}

function isVisible(word) {
  const box = word.getBoundingClientRect(), frame = paneOf(word).getBoundingClientRect();
  return box.bottom > frame.top && box.top < frame.bottom;
}

// Scroll the pane of a word until the word is in its upper third.
function reveal(word) {
  const pane = paneOf(word);
  pane.scrollTop += word.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
}

// Draw curves on an SVG canvas, each { from, to, curve, strength }: two words, of which both must be in view, a class (or
// null for no curve) and how strong the curve is. If inGutter, curves begin and end at the edges of the panes, so that
// they do not cross the texts.
function drawCurves(canvas, curves, inGutter) {
  canvas.replaceChildren();
  const frame = canvas.getBoundingClientRect();
  for (const { from: stop, to: word, curve: className, strength = 1 } of curves) {
    if (!className || !isVisible(stop) || !isVisible(word)) continue;
    const from = [...stop.getClientRects()].at(-1), to = word.getClientRects()[0]; // a phrase may have several lines
    const stacked = from.left < to.right && to.left < from.right; // the panes are one above the other
    const edge = (element, box) => (inGutter ? paneOf(element).getBoundingClientRect() : box);
    const start = edge(stop, from), end = edge(word, to);
    const toRight = paneOf(stop).getBoundingClientRect().left < paneOf(word).getBoundingClientRect().left;
    const x0 = (toRight ? start.right : start.left) - frame.left;
    const x1 = (toRight ? end.left : end.right) - frame.left;
    const y0 = (from.top + from.bottom) / 2 - frame.top, y1 = (to.top + to.bottom) / 2 - frame.top;
    const bend = stacked ? 0 : (x1 - x0) / 2;
    const curve = document.createElementNS("http://www.w3.org/2000/svg", "path");
    curve.setAttribute("d", `M${x0},${y0} C${x0 + bend},${y0} ${x1 - bend},${y1} ${x1},${y1}`);
    curve.setAttribute("class", className);
    curve.style.setProperty("--hit", strength.toFixed(3));
    canvas.append(curve);
  }
}
