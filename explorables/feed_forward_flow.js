// The numbers of the chosen point on their way: widen, ReLU, narrow. One row a neuron; the row's radio button chooses it.
import { clamp, make, round, show } from "./stage.js";
import { lengthOf } from "./feed_forward_maths.js";

const signed = (number) => `${round(number, 2) < 0 ? "\u2212" : "+"} ${show(Math.abs(number))}`;
const inner = (number) => (round(number, 2) < 0 ? `(${show(number)})` : show(number));

// choose(j) is called when a reader picks a row. Returns write(net, numbers, point, relu, chosen).
export function flowTable(parent, choose) {
  const name = `ff-neuron-${Math.random().toString(36).slice(2)}`;
  const box = make("div", { class: "ff-rows" }, parent);
  const table = make("table", {}, box);
  const caption = make("caption", {}, table);
  const head = make("tr", {}, make("thead", {}, table));
  const [, , rule] = [["neuron", ""], ["widen", "w·x + b"], ["ReLU", ""], ["narrow", "times v"]].map(([title, detail]) =>
    make("small", {}, make("th", { scope: "col" }, head, title), detail));
  const body = make("tbody", {}, table);
  const sum = make("p", { class: "ff-sum" }, parent, "sum ");
  const total = make("b", {}, sum);
  sum.append(" + output bias ");
  const bias = make("b", {}, sum);
  sum.append(" = ");
  const result = make("b", { class: "ff-output" }, sum);
  const steps = make("p", { class: "ff-steps" }, parent);
  let rows = [];

  function resize(h) {
    while (rows.length > h) rows.pop().row.remove();
    while (rows.length < h) {
      const j = rows.length, row = make("tr", {}, body), label = make("label", {}, make("th", { scope: "row" }, row));
      const radio = make("input", { type: "radio", name, value: j, "aria-label": `neuron ${j}` }, label);
      make("span", { "aria-hidden": "true" }, label, j);
      const cells = [0, 1, 2].map(() => {
        const cell = make("td", {}, row);
        return { number: make("span", {}, cell), bar: make("i", { "aria-hidden": "true" }, cell), shown: null };
      });
      radio.addEventListener("change", () => choose(j));
      row.addEventListener("click", (event) => event.target.closest("label") || choose(j));
      rows.push({ row, radio, cells });
    }
  }

  return function write(net, { wide, kept, parts, output }, point, relu, chosen) {
    if (rows.length !== wide.length) resize(wide.length);
    const longest = Math.max(1, ...wide.map(Math.abs), ...parts.map(Math.abs));
    caption.textContent = `The point x = (${show(point[0])}, ${show(point[1])}) goes through`;
    rule.textContent = relu ? "keep if > 0" : "switched off";
    rows.forEach(({ row, radio, cells }, j) => {
      row.classList.toggle("off", relu && wide[j] <= 0);
      row.classList.toggle("chosen", j === chosen);
      radio.checked = j === chosen;
      [wide[j], kept[j], parts[j]].forEach((value, i) => {
        const cell = cells[i], text = show(value);
        if (cell.shown !== text) cell.number.textContent = cell.shown = text;
        const share = clamp(value / longest, -1, 1) * 50;
        cell.bar.style.left = `${50 + Math.min(0, share)}%`;
        cell.bar.style.width = `${Math.abs(share)}%`;
        cell.bar.className = value < 0 ? "minus" : "";
      });
    });
    total.textContent = show(output - net.output_bias);
    bias.textContent = show(net.output_bias);
    result.textContent = show(output);
    const [a, b] = net.weights[chosen];
    steps.textContent = `Neuron ${chosen}: ${show(a)} · ${inner(point[0])} ${signed(b)} · ${inner(point[1])} ${signed(net.biases[chosen])} = ${show(wide[chosen])}; `
      + `${relu ? `ReLU keeps ${show(kept[chosen])}; ` : ""}times ${inner(net.outputs[chosen])} is ${show(parts[chosen])}.`;
    follow(rows[chosen].row, box);
  };
}

// Keep the chosen row in sight without moving the page.
const last = new WeakMap();
function follow(row, box) {
  if (last.get(box) === row) return;
  last.set(box, row);
  const high = row.offsetTop, low = high + row.offsetHeight, headRoom = 44;
  if (high - headRoom < box.scrollTop) box.scrollTop = high - headRoom;
  else if (low > box.scrollTop + box.clientHeight) box.scrollTop = low - box.clientHeight;
}

const SIDES = ["right", "upper right", "top", "upper left", "left", "lower left", "bottom", "lower right"];

// What the picture shows, in a sentence or two: for everybody to read, and for a screen reader to say.
export function describe(net, { wide, output }, point, relu, chosen) {
  const h = wide.length, on = wide.filter((z) => z > 0).length, [a, b] = net.weights[chosen], v = net.outputs[chosen];
  const here = `At x = (${show(point[0])}, ${show(point[1])}) the output is ${show(output)}.`;
  if (!relu) return `Without ReLU the ${h} lines fold nothing: the surface is one flat plane. ${here}`;
  const bend = v * lengthOf([a, b]), where = SIDES[Math.round((Math.atan2(b, a) / Math.PI) * 4 + 8) % 8];
  const fold = bend === 0 ? "and folds nothing" : `and folds the surface ${bend > 0 ? "up" : "down"} there, by a slope of ${show(Math.abs(bend))}`;
  return `${on} of ${h} neurons are on. ${here} Neuron ${chosen} is on at the ${where} of its line ${fold}.`;
}
