// How a feed-forward looks: the map from above, and the folded surface from the side. Draws on a canvas, changes nothing.
import { EDGE, contour, height, segment } from "./feed_forward_maths.js";
import { clamp } from "./stage.js";

// Height as colour, low to high: the feed-forward's own hue, from the page's background to its far end.
const RAMPS = {
  light: [[251, 244, 248], [238, 200, 220], [204, 121, 167], [140, 62, 108]],
  dark: [[33, 24, 31], [92, 48, 76], [178, 98, 144], [246, 208, 228]],
};
const LIGHT_FROM = [-0.48, 0.52, 0.71]; // a lamp over the upper left corner, so that each flat piece has its own shade

const SHADOW = [52, 14, 42], GLOW = [255, 248, 252];

// A colour of the ramp, drawn towards the glow where the lamp shines (light > 0) and towards the shadow where it does not.
function colour(theme, share, light) {
  const ramp = RAMPS[theme], at = clamp(share, 0, 1) * (ramp.length - 1), i = Math.min(Math.floor(at), ramp.length - 2);
  const towards = light > 0 ? GLOW : SHADOW, much = Math.min(Math.abs(light), 0.75);
  return `rgb(${ramp[i].map((low, c) => {
    const own = low + (at - i) * (ramp[i + 1][c] - low);
    return Math.round(own + much * (towards[c] - own));
  })})`;
}

function lightOn({ slope: [a, b] }, span) {
  const n = [-a / span, -b / span, 1], [x, y, z] = LIGHT_FROM;
  return 0.62 * ((n[0] * x + n[1] * y + n[2] * z) / Math.hypot(...n) - z);
}

// A flat piece's fill: height is affine on the screen too, so that one straight gradient says it exactly, at any size.
function fillOf(context, facet, corners, theme, span) {
  const light = lightOn(facet, span), n = corners.length, heights = new Array(n);
  let mx = 0, my = 0, mz = 0, low = Infinity, high = -Infinity;
  for (let i = 0; i < n; i++) {
    const z = (heights[i] = height(facet, facet.points[i]));
    mx += corners[i][0] / n;
    my += corners[i][1] / n;
    mz += z / n;
    low = Math.min(low, z);
    high = Math.max(high, z);
  }
  const share = (z) => (z + span) / (2 * span), range = share(high) - share(low), stops = Math.ceil(8 * range);
  let xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
  for (let i = 0; i < n; i++) {
    const dx = corners[i][0] - mx, dy = corners[i][1] - my, dz = heights[i] - mz;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
    xz += dx * dz;
    yz += dy * dz;
  }
  // Too little to be seen, as in a small piece of many: one colour, which is painted in half the time.
  if (range < 0.02 || (range < 0.12 && xx + yy < 200 * n)) return colour(theme, share(mz), light);
  const size = xx * yy - xy * xy, gx = (xz * yy - yz * xy) / size, gy = (yz * xx - xz * xy) / size, steep = gx * gx + gy * gy;
  if (!(size > 1 && steep > 1e-12)) return colour(theme, share(mz), light);
  const at = (z) => [mx + ((z - mz) * gx) / steep, my + ((z - mz) * gy) / steep];
  const fill = context.createLinearGradient(...at(low), ...at(high));
  for (let i = 0; i <= stops; i++) fill.addColorStop(i / stops, colour(theme, share(low + (i / stops) * (high - low)), light));
  return fill;
}

function trace(context, corners) {
  context.beginPath();
  corners.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}

// A filled piece, half a pixel larger all round: closes the hairline to its neighbours, for a fraction of what a stroke costs.
function fillPiece(context, corners, style) {
  let mx = 0, my = 0;
  for (const [x, y] of corners) [mx, my] = [mx + x / corners.length, my + y / corners.length];
  context.beginPath();
  corners.forEach(([x, y], i) => {
    const far = 1 + 0.5 / (Math.hypot(x - mx, y - my) || 1), u = mx + far * (x - mx), v = my + far * (y - my);
    if (i) context.lineTo(u, v);
    else context.moveTo(u, v);
  });
  context.fillStyle = style;
  context.fill();
}

function line(context, from, to, style, width) {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.strokeStyle = style;
  context.lineWidth = width;
  context.stroke();
}

// The heights that all colours and drawings are scaled to: as they are at rest, wider when the surface outgrows it.
export function spanOf(pieces) {
  return pieces.reduce((span, facet) => facet.points.reduce((s, p) => Math.max(s, Math.abs(height(facet, p))), span), 1.25);
}

export const mapPlace = (size) => ([x, y]) => [((x + EDGE) / (2 * EDGE)) * size, ((EDGE - y) / (2 * EDGE)) * size];

// From above. `look` is { theme, ink, accent, span, net, chosen, hovered, bent, target }.
export function drawMap({ context, width }, pieces, look) {
  const place = mapPlace(width), { ink, accent, net } = look;
  for (const facet of pieces) {
    const corners = facet.points.map(place);
    fillPiece(context, corners, fillOf(context, facet, corners, look.theme, look.span));
  }
  drawContours(context, pieces, look, place);
  if (look.target) drawTarget(context, look, (p) => place(p), 0.011 * width);
  context.setLineDash(look.bent ? [] : [4, 5]);
  net.weights.forEach((weight, j) => { // one by one: a single path of crossing lines is slower to paint
    const ends = j === look.chosen ? null : segment(weight, net.biases[j]), over = j === look.hovered;
    if (!ends) return;
    context.globalAlpha = over ? 1 : net.weights.length > 12 ? 0.38 : 0.55;
    line(context, place(ends[0]), place(ends[1]), ink, over ? 2.6 : 1.4);
  });
  context.globalAlpha = 1;
  const ends = segment(net.weights[look.chosen], net.biases[look.chosen]);
  if (ends) {
    onSide(context, ends.map(place), net.weights[look.chosen], accent);
    context.setLineDash(look.bent ? [] : [6, 5]);
    line(context, place(ends[0]), place(ends[1]), look.halo, 6);
    line(context, place(ends[0]), place(ends[1]), accent, 3.4);
  }
  context.setLineDash([]);
}

// Lines of equal height, six to each side of zero: they bend where the surface does.
function drawContours(context, pieces, { span, ink }, place) {
  const gap = span / 6;
  context.beginPath();
  for (const facet of pieces) {
    const heights = facet.points.map((p) => height(facet, p)), last = Math.floor(Math.max(...heights) / gap);
    for (let i = Math.ceil(Math.min(...heights) / gap); i <= last; i++) {
      const ends = contour(facet, i * gap + 1e-7);
      if (!ends) continue;
      context.moveTo(...place(ends[0]));
      context.lineTo(...place(ends[1]));
    }
  }
  context.globalAlpha = 0.28;
  context.strokeStyle = ink;
  context.lineWidth = 0.9;
  context.stroke();
  context.globalAlpha = 1;
}

// A soft band along the side of a hinge where its neuron is on.
function onSide(context, [p, q], [a, b], accent) {
  const long = Math.hypot(a, b) || 1, reach = [(26 * a) / long, (-26 * b) / long];
  const band = context.createLinearGradient(...p, p[0] + reach[0], p[1] + reach[1]);
  band.addColorStop(0, accent);
  band.addColorStop(1, "rgba(0, 0, 0, 0)");
  context.globalAlpha = 0.35;
  context.fillStyle = band;
  trace(context, [p, q, [q[0] + reach[0], q[1] + reach[1]], [p[0] + reach[0], p[1] + reach[1]]]);
  context.fill();
  context.globalAlpha = 1;
}

function drawTarget(context, look, place, radius) {
  for (const [x, y, value] of look.target) {
    const [u, v] = place([x, y], value);
    context.beginPath();
    context.arc(u, v, radius, 0, 7);
    context.fillStyle = colour(look.theme, (value + look.span) / (2 * look.span), 0);
    context.fill();
    context.strokeStyle = look.ink;
    context.lineWidth = 0.7;
    context.stroke();
  }
}

// The direction that points away from the eye, for a view turned by `turn` radians: what facets() sorts by.
export const awayFrom = (turn) => [Math.sin(turn), Math.cos(turn)];

const RISE = 0.42, TALL = 0.62, FLOOR = -1.12; // what a slanted look shows of depth and of height; the block's floor, in spans

// Where a point of the plane at some height is on a surface drawing of this size.
export function surfacePlace(width, high, turn, span) {
  const scale = Math.min(width / 2.9, high / 2.52), cos = Math.cos(turn), sin = Math.sin(turn);
  return ([x, y], z) => [
    width / 2 + scale * (x * cos - y * sin),
    high * 0.485 - scale * (RISE * (x * sin + y * cos) + (TALL / span) * z),
  ];
}

// From the side: a block whose top is the output. The chosen neuron's own fold is lit.
export function drawSurface({ context, width, height: high }, pieces, look) {
  const place = surfacePlace(width, high, look.turn, look.span), [dx, dy] = awayFrom(look.turn), floor = FLOOR * look.span;
  const top = (facet) => (p) => place(p, height(facet, p));
  const near = { "-1": dy > 0, "-2": dx < 0, "-3": dy < 0, "-4": dx > 0 }; // which walls are turned to the eye
  const lit = [];
  context.lineJoin = context.lineCap = "round"; // a fold goes on from piece to piece without a gap
  for (const facet of pieces) {
    const { points, edges } = facet, corners = points.map(top(facet));
    fillPiece(context, corners, fillOf(context, facet, corners, look.theme, look.span));
    context.beginPath();
    edges.forEach((edge, i) => {
      const k = (i + 1) % points.length, [p, q] = [points[i], points[k]];
      // Of the two pieces at a fold the nearer one draws it: its inside lies towards the eye.
      if (edge < 0 || (p[1] - q[1]) * dx + (q[0] - p[0]) * dy > 0) return;
      if (edge === look.chosen || edge === look.hovered) return lit.push([corners[i], corners[k], edge === look.chosen]);
      context.moveTo(...corners[i]);
      context.lineTo(...corners[k]);
    });
    context.strokeStyle = look.crease;
    context.lineWidth = 1;
    context.stroke();
    for (const [from, to, own] of lit.splice(0)) line(context, from, to, own ? look.accent : look.crease, own ? 3.6 : 2.6);
  }
  for (const edge of [-1, -2, -3, -4].filter((one) => near[one])) {
    context.beginPath(); // one path a wall: no hairlines between its parts
    for (const facet of pieces) facet.edges.forEach((own, i) => {
      if (own !== edge) return;
      const [p, q] = [facet.points[i], facet.points[(i + 1) % facet.points.length]];
      [top(facet)(p), top(facet)(q), place(q, floor), place(p, floor)].forEach((c, k) => (k ? context.lineTo(...c) : context.moveTo(...c)));
      context.closePath();
    });
    context.fillStyle = edge % 2 ? look.wall : look.wallSide;
    context.fill();
    nameWall(context, edge, place, floor, look);
  }
  if (look.target) drawTarget(context, look, place, 0.006 * width);
}

// Which input grows along a wall, and which way, written below it.
function nameWall(context, edge, place, floor, look) {
  const along = edge % 2 ? [1, 0] : [0, 1], out = { "-1": [0, -1], "-2": [1, 0], "-3": [0, 1], "-4": [-1, 0] }[edge];
  const [x, y] = place(out, floor), tip = place(along, floor), tail = place(along.map((c) => -c), floor);
  const name = edge % 2 ? "x\u2081" : "x\u2082", rightwards = tip[0] > tail[0];
  context.font = "600 12px system-ui, sans-serif";
  context.fillStyle = look.tokenText;
  context.textAlign = "center";
  context.fillText(rightwards ? `${name} \u2192` : `\u2190 ${name}`, x, y + 18);
  context.textAlign = "start";
}
