// A target that the reader paints, and a small gradient descent towards it.
import { clamp, everyFrame, make, round, show, wantsCalm } from "./stage.js";
import { EDGE, descend } from "./feed_forward_maths.js";

const STEPS = 1500, A_FRAME = 5, BRUSH = 0.3;

const place = (i, n) => -EDGE + (2 * EDGE * i) / (n - 1);

// The target grid as samples [x, y, value]; row i of the grid lies at height place(i), from the bottom up.
export const samplesOf = (grid) => grid.flatMap((row, i) => row.map((value, j) => [place(j, row.length), place(i, grid.length), value]));

// The grid after one dab of the brush at (x, y), towards `goal` (1 or -1).
export function dab(grid, [x, y], goal) {
  return grid.map((row, i) => row.map((value, j) => {
    const far = (place(j, row.length) - x) ** 2 + (place(i, grid.length) - y) ** 2;
    return round(value + 0.35 * Math.exp(-far / (2 * (BRUSH / 2) ** 2)) * (goal - value), 2);
  }));
}

// The drawer under the picture. `hand` gives net(), leak(), target() and takes setNet(net, last), setTarget(grid), changed().
// Returns { open(), tool(), paint(point), stop(), remove() }.
export function fitDrawer(parent, hand) {
  const drawer = make("details", { class: "ff-fit" }, parent);
  make("summary", {}, drawer, "Fit: let gradient descent move the lines");
  make("p", {}, drawer, "The dots are the target: paint on the plane where the output should be high or low, then press Fit.");
  const row = make("div", { class: "ff-row" }, drawer);
  const tools = make("fieldset", { class: "ff-tools" }, row), name = `ff-tool-${Math.random().toString(36).slice(2)}`;
  make("legend", {}, tools, "Pointer");
  const radios = [["hold", "moves lines"], ["high", "paints high"], ["low", "paints low"]].map(([value, text], i) => {
    const label = make("label", {}, tools), radio = make("input", { type: "radio", name, value }, label);
    radio.checked = i === 0;
    radio.addEventListener("change", hand.changed);
    label.append(text);
    return radio;
  });
  const go = make("button", { type: "button", class: "ff-go" }, row, "Fit");
  const clear = make("button", { type: "button" }, row, "Clear target");
  const said = make("p", { class: "ff-loss", role: "status" }, drawer, "");
  const tally = make("p", { class: "ff-loss", "aria-hidden": "true" }, drawer); // changes each frame: not for a live region
  let memory = null, loss = 0, running = false;

  const tool = () => (drawer.open ? radios.find((radio) => radio.checked).value : "hold");

  function step(times) {
    const samples = samplesOf(hand.target());
    let net = hand.net();
    for (let i = 0; i < times; i++) ({ net, loss, memory } = descend(net, samples, hand.leak(), 0.02, memory));
    hand.setNet(net, false);
  }

  const frame = everyFrame(() => {
    if (!running) return;
    step(wantsCalm() ? STEPS / 4 : A_FRAME); // who asked for little motion sees a few states and the end, not a film
    tally.textContent = `Step ${memory.step}, mean squared error ${show(loss, 4)}`;
    if (memory.step >= STEPS) stop();
    else frame();
  });

  function stop() {
    if (!running) return;
    running = false;
    go.textContent = "Fit";
    tally.textContent = "";
    said.textContent = memory ? `After ${memory.step} steps the mean squared error is ${show(loss, 4)}.` : "Stopped.";
    hand.setNet(hand.net(), true);
  }

  go.addEventListener("click", () => {
    if (running) return stop();
    [running, memory] = [true, null];
    [go.textContent, said.textContent] = ["Stop", ""];
    frame();
  });
  clear.addEventListener("click", () => hand.setTarget(hand.target().map((line) => line.map(() => 0))));
  drawer.addEventListener("toggle", () => { if (!drawer.open) stop(); hand.changed(); });

  return {
    open: () => drawer.open,
    tool,
    paint: (point) => hand.setTarget(dab(hand.target(), point.map((c) => clamp(c, -EDGE, EDGE)), tool() === "high" ? 1 : -1)),
    stop,
    remove: () => { running = false; frame.stop(); },
  };
}
