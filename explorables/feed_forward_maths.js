// The arithmetic of a feed-forward with two inputs, h hinges and one output. Pure functions: no page and no model here.
// A net is { weights: [[w1, w2], ...], biases: [...], outputs: [...], output_bias: number }, laid out as torch lays it out.
// `leak` is what is kept of a negative number: 0 is ReLU, 1 is no activation, and between them a picture is on its way.

export const EDGE = 1; // the plane that is shown is the square from -EDGE to EDGE

// One point through the net: widened, what the activation keeps, each neuron's part of the output, and the output.
export function flow(net, [x, y], leak = 0) {
  const wide = net.weights.map(([a, b], j) => a * x + b * y + net.biases[j]);
  const kept = wide.map((z) => (z > 0 ? z : leak * z || 0)); // || 0: no minus zero in a table
  const parts = kept.map((a, j) => a * net.outputs[j]);
  return { wide, kept, parts, output: parts.reduce((sum, part) => sum + part, net.output_bias) };
}

// Cut a convex piece along a hinge: [where the neuron is off, where it is on], either of them null.
// A piece is { points, edges }; edges[i] names what lies between point i and the next: a hinge 0.., or a side -1..-4.
function cut(piece, [a, b], bias, j) {
  const { points, edges } = piece, n = points.length, side = new Array(n);
  let low = Infinity, high = -Infinity;
  for (let i = 0; i < n; i++) { // a plain loop: with 32 hinges this runs some ten thousand times a frame
    side[i] = a * points[i][0] + b * points[i][1] + bias;
    if (side[i] < low) low = side[i];
    if (side[i] > high) high = side[i];
  }
  if (high <= 1e-9) return [piece, null];
  if (low >= -1e-9) return [null, piece];
  const off = { points: [], edges: [] }, on = { points: [], edges: [] };
  for (let i = 0; i < n; i++) {
    const k = (i + 1) % n, here = side[i] > 0 ? on : off, there = side[i] > 0 ? off : on;
    here.points.push(points[i]);
    here.edges.push(edges[i]);
    if (side[i] > 0 === side[k] > 0) continue;
    const t = side[i] / (side[i] - side[k]), [x, y] = points[i], [u, v] = points[k], crossing = [x + t * (u - x), y + t * (v - y)];
    here.points.push(crossing); // from here the border of this half runs along the hinge
    here.edges.push(j);
    there.points.push(crossing);
    there.edges.push(edges[i]);
  }
  return [off, on];
}

// The flat pieces of the surface, far ones first when seen along `away`: each with its points, edges, and plane
// (height = slope[0] x + slope[1] y + level). Cutting piece by piece keeps the order exact, however many hinges cross.
export function facets(net, leak = 0, away = [0, 1]) {
  const e = EDGE;
  let pieces = [{ points: [[-e, -e], [e, -e], [e, e], [-e, e]], edges: [-1, -2, -3, -4] }];
  net.weights.forEach((weight, j) => {
    if (leak === 1 || net.outputs[j] === 0) return;
    const onIsFar = weight[0] * away[0] + weight[1] * away[1] > 0;
    const next = [];
    for (const piece of pieces) {
      const [off, on] = cut(piece, weight, net.biases[j], j);
      for (const part of onIsFar ? [on, off] : [off, on]) if (part && (part === piece || area(part.points) > 1e-9)) next.push(part);
    }
    pieces = next;
  });
  return pieces.map((piece) => ({ ...piece, ...plane(net, centre(piece.points), leak) }));
}

function area(points) {
  let twice = 0, [x, y] = points.at(-1);
  for (const [u, v] of points) [twice, x, y] = [twice + x * v - u * y, u, v];
  return Math.abs(twice) / 2;
}

const centre = (points) => [0, 1].map((d) => points.reduce((sum, p) => sum + p[d], 0) / points.length);

// The flat map that the net is around a point that lies on no hinge.
export function plane(net, [x, y], leak = 0) {
  let across = 0, up = 0, level = net.output_bias;
  net.weights.forEach(([a, b], j) => {
    const share = net.outputs[j] * (a * x + b * y + net.biases[j] > 0 ? 1 : leak);
    across += share * a;
    up += share * b;
    level += share * net.biases[j];
  });
  return { slope: [across, up], level };
}

export const height = (facet, [x, y]) => facet.slope[0] * x + facet.slope[1] * y + facet.level;

// Where a flat piece is `level` high: two points, or null.
export function contour(facet, level) {
  const ends = [], { points } = facet, above = points.map((p) => height(facet, p) - level);
  points.forEach((p, i) => {
    const k = (i + 1) % points.length, q = points[k];
    if (above[i] > 0 === above[k] > 0) return;
    const t = above[i] / (above[i] - above[k]);
    ends.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
  });
  return ends.length === 2 ? ends : null;
}

// The ends of a hinge inside the square, or null when it lies outside.
export function segment(weight, bias) {
  const square = { points: [[-EDGE, -EDGE], [EDGE, -EDGE], [EDGE, EDGE], [-EDGE, EDGE]], slope: weight, level: bias };
  return contour(square, 0);
}

export const lengthOf = ([a, b]) => Math.hypot(a, b) || 1;

// How far a point is from a hinge: positive where the neuron is on.
export const distance = (weight, bias, [x, y]) => (weight[0] * x + weight[1] * y + bias) / lengthOf(weight);

// The point of a hinge that is nearest to `p`.
export function foot(weight, bias, p) {
  const far = distance(weight, bias, p) / lengthOf(weight);
  return [p[0] - far * weight[0], p[1] - far * weight[1]];
}

// The bias that leads a hinge through a point, and the weight turned to an angle (radians) without changing its length.
export const through = (weight, [x, y]) => -(weight[0] * x + weight[1] * y);
export const turned = (length, angle) => [length * Math.cos(angle), length * Math.sin(angle)];

// A neuron for place j, the same each time: spread by the golden angle, folding up and down in turn.
export function spare(j) {
  const weight = turned(1, 2.39996323 * j + 0.7);
  return { weight, bias: 0.75 * Math.sin(5.3 * j + 1), output: (j % 2 ? -1 : 1) * 0.45 };
}

// Mean squared error over samples [x, y, target], and its gradient by every number of the net.
export function gradient(net, samples, leak = 0) {
  const h = net.weights.length, by = { weights: net.weights.map(() => [0, 0]), biases: Array(h).fill(0), outputs: Array(h).fill(0), output_bias: 0 };
  let loss = 0;
  for (const [x, y, target] of samples) {
    const { wide, kept, output } = flow(net, [x, y], leak), miss = output - target, d = (2 * miss) / samples.length;
    loss += miss * miss / samples.length;
    by.output_bias += d;
    for (let j = 0; j < h; j++) {
      const back = d * net.outputs[j] * (wide[j] > 0 ? 1 : leak);
      by.outputs[j] += d * kept[j];
      by.biases[j] += back;
      by.weights[j][0] += back * x;
      by.weights[j][1] += back * y;
    }
  }
  return { loss, by };
}

const pack = (net) => [...net.weights.flat(), ...net.biases, ...net.outputs, net.output_bias];
const unpack = (flat, h) => ({
  weights: Array.from({ length: h }, (_, j) => [flat[2 * j], flat[2 * j + 1]]),
  biases: flat.slice(2 * h, 3 * h), outputs: flat.slice(3 * h, 4 * h), output_bias: flat[4 * h],
});

// One step of Adam with torch's defaults. `memory` is what the step before gave back, or nothing at the start.
export function descend(net, samples, leak = 0, rate = 0.02, memory = null) {
  const { loss, by } = gradient(net, samples, leak), numbers = pack(net), slopes = pack(by);
  const step = (memory?.step ?? 0) + 1, zeros = numbers.map(() => 0);
  const mean = (memory?.mean ?? zeros).map((m, i) => 0.9 * m + 0.1 * slopes[i]);
  const square = (memory?.square ?? zeros).map((s, i) => 0.999 * s + 0.001 * slopes[i] ** 2);
  const moved = numbers.map((p, i) => p - rate * (mean[i] / (1 - 0.9 ** step)) / (Math.sqrt(square[i] / (1 - 0.999 ** step)) + 1e-8));
  return { net: unpack(moved, net.weights.length), loss, memory: { step, mean, square } };
}
