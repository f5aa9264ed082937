// The feed-forward that can be dragged: hinge lines in a plane, the folded surface, and one point's numbers on their way.
import { arrowKeys, clamp, everyFrame, followTheme, holdable, keepKeys, make, round, sharp, show, voice, wantsCalm } from "./stage.js";
import { EDGE, distance, facets, flow, foot, lengthOf, segment, spare, through, turned } from "./feed_forward_maths.js";
import { awayFrom, drawMap, drawSurface, mapPlace, spanOf, surfacePlace } from "./feed_forward_drawing.js";
import { describe, flowTable } from "./feed_forward_flow.js";
import { fitDrawer, samplesOf } from "./feed_forward_fit.js";

const NET = ["weights", "biases", "outputs", "output_bias"], ALL = [...NET, "relu", "point", "neuron", "target"];
const MOST = 32, STALK = 46, REACH = 13; // neurons; pixels from a line to its turning knob; how near a pointer takes hold

function render({ model, el }) {
  const root = make("div", { class: "ff", role: "group", "aria-label": "A feed-forward with two inputs and one output" }, el);
  const top = make("div", { class: "ff-top" }, root);
  make("p", { class: "ff-try" }, top, "Try this: drag a line across the plane. The surface folds along it, and nowhere else.");
  const reset = make("button", { type: "button" }, top, "Reset");
  const grid = make("div", { class: "ff-grid" }, root);

  const plane = make("div", { class: "ff-plane", role: "group", "aria-label": "The plane of the two inputs, with one line for each neuron" }, grid);
  const map = make("canvas", { "aria-hidden": "true" }, plane);
  make("span", { class: "ff-axis ff-across", "aria-hidden": "true" }, plane, "x₁ →");
  make("span", { class: "ff-axis ff-up", "aria-hidden": "true" }, plane, "x₂ ↑");
  const handle = (kind, label) => make("div", { class: `ff-handle ff-${kind}`, role: "slider", tabindex: 0, "aria-label": label, title: label }, plane);
  const dot = handle("point", "The chosen point: drag it, or use the arrow keys");
  const grip = handle("grip", "Move the line: drag, or use the arrow keys");
  const knob = handle("knob", "Turn the line: drag, or use the arrow keys");

  const side = make("div", { class: "ff-side", role: "slider", tabindex: 0, "aria-label": "Turn the view of the surface: drag, or use the arrow keys", "aria-valuemin": -180, "aria-valuemax": 180 }, grid);
  const block = make("canvas", { "aria-hidden": "true" }, side);

  const below = make("div", { class: "ff-below" }, grid), controls = make("div", { class: "ff-controls" }, below);
  const slider = (text, attributes) => {
    const label = make("label", { class: "ff-slider" }, controls), name = make("span", {}, label, text);
    return { name, input: make("input", { type: "range", ...attributes }, label), value: make("output", {}, label) };
  };
  const many = slider("neurons", { min: 1, max: MOST, step: 1 });
  const fold = slider("", { min: -2, max: 2, step: 0.05 });
  const switcher = make("label", { class: "ff-switch" }, controls), relu = make("input", { type: "checkbox", role: "switch" }, switcher);
  switcher.append("ReLU");
  const flowBox = make("div", { class: "ff-flow" }, grid);
  const writeFlow = flowTable(flowBox, (j) => set({ neuron: j }));
  const story = make("p", { class: "ff-story" }, below), say = voice(root);

  // ---- the state: the model's traits, and what only this view knows
  const net = () => Object.fromEntries(NET.map((name) => [name, model.get(name)]));
  const chosen = () => clamp(model.get("neuron"), 0, model.get("weights").length - 1);
  const view = { turn: 0.5, hovered: null, leak: model.get("relu") ? 0 : 1, anchors: [], spares: [], tail: 1 };
  const snapshot = () => Object.fromEntries(ALL.map((name) => [name, model.get(name)]));
  let start = snapshot(), mine = false;

  function set(changes, save = true) {
    mine = true;
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    mine = false;
    if (save) model.save_changes();
    draw();
  }
  const withAt = (list, j, value) => list.map((old, i) => (i === j ? value : old));
  const setHinge = (j, weight, bias) =>
    set({ weights: withAt(model.get("weights"), j, weight.map((w) => round(w))), biases: withAt(model.get("biases"), j, round(bias)) });

  // Where a line is held: the last place on it, as near as it still goes through there.
  function anchor(j) {
    const { weights, biases } = net(), ends = segment(weights[j], biases[j]);
    let at = foot(weights[j], biases[j], view.anchors[j] ?? [0, 0]);
    if (ends && Math.max(...at.map(Math.abs)) > 0.94 * EDGE) at = ends[0].map((c, d) => (c + ends[1][d]) / 2);
    return (view.anchors[j] = at.map((c) => clamp(c, -EDGE, EDGE)));
  }
  function moveLine(j, point) {
    view.anchors[j] = point.map((c) => clamp(c, -EDGE, EDGE));
    setHinge(j, model.get("weights")[j], through(model.get("weights")[j], view.anchors[j]));
  }
  function turnLine(j, angle, length = lengthOf(model.get("weights")[j])) {
    const at = anchor(j), weight = turned(length, angle).map((w) => round(w));
    setHinge(j, weight, through(weight, at));
  }
  const movePoint = (point) => set({ point: point.map((c) => round(clamp(c, -EDGE, EDGE), 2)) });

  function resize(h) {
    const { weights, biases, outputs } = net(), was = weights.length;
    for (let j = h; j < was; j++) view.spares[j] = { weight: weights[j], bias: biases[j], output: outputs[j] }; // kept, should it come back
    const extra = Array.from({ length: Math.max(0, h - was) }, (_, i) => view.spares[was + i] ?? spare(was + i));
    set({
      weights: [...weights.slice(0, h), ...extra.map((one) => one.weight.map((w) => round(w)))],
      biases: [...biases.slice(0, h), ...extra.map((one) => round(one.bias))],
      outputs: [...outputs.slice(0, h), ...extra.map((one) => round(one.output))],
      neuron: Math.min(model.get("neuron"), h - 1),
    });
  }

  // ---- drawing
  let ink = {};
  const readInk = () => { ink = null; draw(); };
  // A root that is not on the page yet, or whose style sheet is still to come, has no colours.
  const inkNow = () => {
    const style = getComputedStyle(root), names = ["ink", "accent", "halo", "crease", "wall", "wallSide", "token", "tokenText"];
    const found = names.map((name) => [name, style.getPropertyValue(`--ff-${name}`).trim()]);
    return found.every(([, colour]) => colour) ? Object.fromEntries(found) : null;
  };
  const draw = everyFrame(paintAll);

  function paintAll() {
    if (!root.isConnected || !map.clientWidth) return;
    ink ||= inkNow();
    if (!ink) return void draw();
    const still = model.get("relu") ? 0 : 1;
    if (view.leak !== still) {
      view.leak = wantsCalm() || Math.abs(view.leak - still) < 0.02 ? still : view.leak + 0.16 * (still - view.leak);
      if (view.leak !== still) draw();
    }
    const now = net(), j = chosen(), point = model.get("point"), numbers = flow(now, point, view.leak);
    const pieces = facets(now, view.leak, awayFrom(view.turn));
    const look = { ...ink, theme: root.dataset.theme, net: now, chosen: j, hovered: view.hovered, bent: still === 0, span: spanOf(pieces), turn: view.turn, target: fit.open() ? samplesOf(model.get("target")) : null };
    drawMap(sharp(map), pieces, look);
    const stage = sharp(block);
    drawSurface(stage, pieces, look);
    pin(stage, look, point, numbers.output);
    placeHandles(now, j, point);
    writeControls(now, j);
    const settled = flow(now, point, still), text = describe(now, settled, point, still === 0, j);
    writeFlow(now, settled, point, still === 0, j);
    if (story.textContent !== text) story.textContent = text;
    say(text);
  }

  // The chosen point on the surface: a pin, so that it is found behind a fold too.
  function pin({ context, width, height }, look, point, output) {
    const place = surfacePlace(width, height, look.turn, look.span), [x, y] = place(point, output);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x, y - 26);
    context.lineWidth = 2;
    context.strokeStyle = look.ink;
    context.stroke();
    context.beginPath();
    context.arc(x, y - 30, 6, 0, 7);
    context.fillStyle = look.token;
    context.fill();
    context.stroke();
    context.font = "600 13px system-ui, sans-serif";
    context.fillStyle = look.ink;
    context.lineWidth = 4;
    context.strokeStyle = look.halo;
    context.strokeText(show(output), x + 11, y - 26);
    context.fillText(show(output), x + 11, y - 26);
  }

  const put = (element, [x, y]) => { element.style.transform = `translate(${x}px, ${y}px)`; };
  const tell = (element, values) => { for (const [name, value] of Object.entries(values)) element.setAttribute(`aria-${name}`, value); };

  function placeHandles(now, j, point) {
    const size = map.clientWidth, place = mapPlace(size), weight = now.weights[j], angle = Math.atan2(weight[1], weight[0]);
    const at = anchor(j).map((c) => clamp(c, -0.95 * EDGE, 0.95 * EDGE)); // a line outside is held at the plane's edge
    const [x, y] = place(at), held = knob.classList.contains("held"), beyond = (tail) => [x + tail * STALK * Math.cos(angle), y - tail * STALK * Math.sin(angle)];
    const outside = (p) => Math.max(0, 10 - Math.min(...p, size - p[0], size - p[1]));
    if (!held) view.tail = outside(beyond(1)) > outside(beyond(-1)) ? -1 : 1; // the knob stays in the plane
    put(grip, [x, y]);
    put(knob, beyond(view.tail));
    plane.classList.toggle("away", !segment(weight, now.biases[j]));
    put(dot, place(point));
    grip.textContent = j;
    knob.style.setProperty("--ff-stalk", `${(-angle * 180) / Math.PI + (view.tail > 0 ? 180 : 0)}deg`);
    const degrees = Math.round(((angle * 180) / Math.PI + 360) % 360);
    tell(grip, { valuemin: -1.42, valuemax: 1.42, valuenow: round(-distance(weight, now.biases[j], [0, 0])), valuetext: `neuron ${j}, through ${show(at[0])}, ${show(at[1])}` });
    tell(knob, { valuemin: 0, valuemax: 360, valuenow: degrees, valuetext: `neuron ${j}, on towards ${degrees} degrees` });
    tell(dot, { valuemin: -EDGE, valuemax: EDGE, valuenow: point[0], valuetext: `${show(point[0])}, ${show(point[1])}` });
    tell(side, { valuenow: Math.round((view.turn * 180) / Math.PI), valuetext: `turned by ${Math.round((view.turn * 180) / Math.PI)} degrees` });
    plane.dataset.tool = fit.tool();
  }

  function writeControls(now, j) {
    many.input.value = many.value.textContent = now.weights.length;
    fold.name.textContent = `narrow weight of neuron ${j}`;
    fold.input.value = now.outputs[j];
    fold.value.textContent = show(now.outputs[j]);
    relu.checked = model.get("relu");
  }

  // ---- hands
  const at = (event) => {
    const box = map.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * 2 * EDGE - EDGE, EDGE - ((event.clientY - box.top) / box.height) * 2 * EDGE];
  };
  function nearest(point, reach = REACH) {
    const { weights, biases } = net(), unit = (2 * EDGE) / map.clientWidth;
    const far = weights.map((weight, j) => Math.abs(distance(weight, biases[j], point)) - (j === chosen() ? unit : 0)), best = Math.min(...far);
    return best < reach * unit ? far.indexOf(best) : null;
  }
  const painting = () => fit.tool() !== "hold";
  let line = null, grabbed = [0, 0];
  holdable(map, {
    start(event) {
      if (painting()) return fit.paint(at(event));
      line = nearest(at(event), event.pointerType === "touch" ? 20 : REACH);
      if (line === null) return event.pointerType === "touch" || movePoint(at(event));
      view.anchors[line] = foot(model.get("weights")[line], model.get("biases")[line], at(event));
      return set({ neuron: line });
    },
    move(event) {
      if (painting()) fit.paint(at(event));
      else if (line !== null) moveLine(line, at(event));
      else if (event.pointerType !== "touch") movePoint(at(event));
    },
  });
  map.addEventListener("click", (event) => { if (!painting() && line === null) movePoint(at(event)); });
  map.addEventListener("pointermove", (event) => {
    const over = event.buttons || painting() ? null : nearest(at(event));
    plane.classList.toggle("over", over !== null);
    if (over !== view.hovered) { view.hovered = over; draw(); }
  });
  map.addEventListener("pointerleave", () => { view.hovered = null; draw(); });
  // A finger on a line moves the line; a finger beside it scrolls the page as ever.
  map.addEventListener("touchstart", (event) => {
    if (event.touches.length === 1 && (painting() || nearest(at(event.touches[0]), 20) !== null)) event.preventDefault();
  }, { passive: false });

  const offset = (event, [x, y]) => { const [u, v] = at(event); grabbed = [x - u, y - v]; };
  const moved = (event) => at(event).map((c, d) => c + grabbed[d]);
  holdable(grip, { start: (event) => offset(event, anchor(chosen())), move: (event) => moveLine(chosen(), moved(event)) });
  holdable(dot, { start: (event) => offset(event, model.get("point")), move: (event) => movePoint(moved(event)) });
  let length = 1;
  holdable(knob, {
    start() { length = lengthOf(model.get("weights")[chosen()]); },
    move(event) {
      const [x, y] = at(event), [a, b] = anchor(chosen());
      turnLine(chosen(), Math.atan2(view.tail * (y - b), view.tail * (x - a)), length);
    },
    end: () => draw(),
  });
  let from = 0;
  holdable(side, {
    start(event) { from = event.clientX; },
    move(event) { turnView((from - event.clientX) / 130); from = event.clientX; },
  });
  const turnView = (by) => { view.turn = ((view.turn + by + 3 * Math.PI) % (2 * Math.PI)) - Math.PI; draw(); };

  arrowKeys(grip, ([x, y]) => { const [a, b] = anchor(chosen()); moveLine(chosen(), [a + 0.05 * x, b + 0.05 * y]); });
  arrowKeys(knob, ([x, y]) => { const [a, b] = model.get("weights")[chosen()]; turnLine(chosen(), Math.atan2(b, a) + ((y - x) * Math.PI) / 36); });
  arrowKeys(dot, ([x, y]) => { const [a, b] = model.get("point"); movePoint([a + 0.05 * x, b + 0.05 * y]); });
  arrowKeys(side, ([x, y]) => turnView(((x || y) * Math.PI) / 18));
  dot.addEventListener("keydown", (event) => {
    if (!painting() || (event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    fit.paint(model.get("point"));
  });

  many.input.addEventListener("input", () => { fit.stop(); resize(Number(many.input.value)); });
  fold.input.addEventListener("input", () => set({ outputs: withAt(model.get("outputs"), chosen(), Number(fold.input.value)) }));
  relu.addEventListener("change", () => set({ relu: relu.checked }));
  reset.addEventListener("click", () => { fit.stop(); Object.assign(view, { anchors: [], spares: [], turn: 0.5 }); set(start); });

  const fit = fitDrawer(root, {
    net, leak: () => (model.get("relu") ? 0 : 1), target: () => model.get("target"),
    setNet: (one, last) => set(Object.fromEntries(NET.map((name) => [name, last ? rounded(one[name]) : one[name]])), last),
    setTarget: (target) => set({ target }),
    changed: () => draw(),
  });
  const rounded = (value) => (Array.isArray(value) ? value.map(rounded) : round(value, 4));

  // ---- Python's changes, the page's theme and size
  const outside = () => {
    if (mine) return;
    fit.stop();
    start = snapshot();
    draw();
  };
  for (const name of ALL) model.on(`change:${name}`, outside);
  const sizes = new ResizeObserver(() => draw());
  sizes.observe(plane);
  sizes.observe(side);
  const endings = [followTheme(root, readInk), keepKeys(root), fit.remove, draw.stop];
  readInk();
  return () => {
    for (const name of ALL) model.off(`change:${name}`, outside);
    sizes.disconnect();
    for (const end of endings) end();
  };
}

export default { render };
