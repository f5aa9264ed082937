// What every picture needs: making elements, taking hold of them, the page's theme, a sharp canvas, a calm voice.

export function make(tag, attributes = {}, parent = null, text = null) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== null) element.textContent = text;
  parent?.append(element);
  return element;
}

// Hold an element by pointer or touch: start(event) may answer false to let go; then move(event) and end(event).
export function holdable(element, { start = () => true, move, end = () => {} }) {
  let held = null;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || held !== null || start(event) === false) return;
    held = event.pointerId;
    element.setPointerCapture(held);
    element.classList.add("held");
  });
  element.addEventListener("pointermove", (event) => event.pointerId === held && move(event));
  const letGo = (event) => {
    if (event.pointerId !== held) return;
    held = null;
    element.classList.remove("held");
    end(event);
  };
  element.addEventListener("pointerup", letGo);
  element.addEventListener("pointercancel", letGo);
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// Arrow keys call step([across, up]); with Shift the steps are a fifth as long.
export function arrowKeys(element, step) {
  element.addEventListener("keydown", (event) => {
    const arrow = ARROWS[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    step(arrow.map((d) => (event.shiftKey ? d / 5 : d)));
  });
}

// JupyterLab takes keys before the element that has the focus: D D there would delete the cell. Plain keys are kept from it,
// by the mark that it looks for on that element; Ctrl+S and the like it still gets. Returns what ends this.
export function keepKeys(root) {
  const mark = (event) => {
    if (!(event.target instanceof Element) || !root.contains(event.target)) return;
    event.target.toggleAttribute("data-lm-suppress-shortcuts", !(event.ctrlKey || event.metaKey || event.altKey));
  };
  window.addEventListener("keydown", mark, true); // comes before JupyterLab's own ear, which is the document's
  return () => window.removeEventListener("keydown", mark, true);
}

// The first background that is painted behind an element: true in JupyterLab, VS Code and any site. Null where none is.
function backdrop(element) {
  for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
    const paint = getComputedStyle(at).backgroundColor, [r, g, b, alpha = 1] = (paint.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
    if (alpha > 0.5) return { paint, dark: 0.299 * r + 0.587 * g + 0.114 * b < 128 };
  }
  return null;
}

function systemIsDark() {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  return scheme.includes("dark") && (!scheme.includes("light") || matchMedia("(prefers-color-scheme: dark)").matches);
}

// Keep root.dataset.theme ("light" or "dark") and --page true while the page changes; changed() is called each time.
// Returns what ends the watch.
export function followTheme(root, changed) {
  const look = () => {
    const behind = backdrop(root.parentElement ?? root), theme = (behind?.dark ?? systemIsDark()) ? "dark" : "light";
    root.style.setProperty("--page", behind?.paint ?? "Canvas");
    if (root.dataset.theme === theme) return;
    root.dataset.theme = theme;
    changed();
  };
  const lookTwice = () => [0, 400].forEach((wait) => setTimeout(look, wait)); // a theme's style sheet may come late
  const observer = new MutationObserver(lookTwice), system = matchMedia("(prefers-color-scheme: dark)");
  for (const page of [document.documentElement, document.body]) observer.observe(page, { attributes: true });
  system.addEventListener("change", lookTwice);
  look();
  lookTwice();
  return () => {
    observer.disconnect();
    system.removeEventListener("change", lookTwice);
  };
}

// A canvas drawn in CSS pixels and sharp on any screen: { context, width, height } after fitting it to its box.
export function sharp(canvas) {
  const { width, height } = canvas.getBoundingClientRect(), ratio = Math.min(window.devicePixelRatio || 1, 2);
  const size = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

// Call work() once in the next frame, however often it was asked for.
export function everyFrame(work) {
  let asked = 0;
  const ask = () => { asked ||= requestAnimationFrame(() => { asked = 0; work(); }); };
  ask.stop = () => cancelAnimationFrame(asked);
  return ask;
}

// A live region that speaks once the hand has come to rest: a screen reader hears the end and not each step.
// What was said goes away again, so that nobody who reads on finds the caption twice.
export function voice(parent) {
  const region = make("div", { class: "unseen", role: "status" }, parent);
  let timer = 0, said = null;
  return (text) => {
    if (said === null) said = text; // the first state is read with the page
    if (text === said) return;
    said = text;
    clearTimeout(timer);
    timer = setTimeout(() => {
      region.textContent = text;
      timer = setTimeout(() => { region.textContent = ""; }, 5000);
    }, 700);
  };
}

export const wantsCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
export const round = (number, places = 3) => Number(number.toFixed(places)) || 0;
export const clamp = (number, low, high) => Math.min(high, Math.max(low, number));
// Two places with a real minus sign; never "-0.00".
export const show = (number, places = 2) => (round(number, places) || 0).toFixed(places).replace("-", "\u2212");
