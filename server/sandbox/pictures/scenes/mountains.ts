import { blend, clamp, gradient, hex, pick, ramp, type Colour } from '../colour.ts';
import type { Shade } from '../image.ts';
import { createRandom, fbm, hash, ridges } from '../noise.ts';

const MOODS = [
  { sky: ['#7fa6cf', '#c4d9ea', '#f6e4cf'], far: '#b9cadb', near: '#1c2b35', snow: 0.8 },
  {
    sky: ['#27365f', '#8d6f9c', '#f2a38a', '#ffd9a6'],
    far: '#c792a0',
    near: '#1a1a2e',
    snow: 0.25,
  },
  { sky: ['#0b1230', '#1c2f57', '#4d6f92'], far: '#3f5d7f', near: '#070c18', snow: 0.5 },
  { sky: ['#6d97a8', '#b9d4cf', '#f3ead0'], far: '#a9c2b6', near: '#16302a', snow: 0.1 },
] as const;
const LAYERS = 6;

function compose(seed: number, aspect: number) {
  const random = createRandom(seed);
  const mood = pick(MOODS, random());
  const stops = mood.sky.map(hex);
  const far = hex(mood.far);
  const near = hex(mood.near);
  const isNight = mood.near === '#070c18';
  const sunU = 0.2 + random() * 0.6;
  const base = aspect * 0.34;

  const tops = new Map<number, { tops: number[]; firs: number }>();
  return { seed, aspect, mood, stops, far, near, isNight, sunU, base, tops };
}
type Setting = ReturnType<typeof compose>;

/** Ridge behind ridge in haze, snow on the high ones, firs in front, stars when it is night. */
export function mountains(seed: number, aspect: number): Shade {
  const setting = compose(seed, aspect);
  return (u, v) => shade(setting, u, v);
}

function shade(setting: Setting, u: number, v: number): Colour {
  const { seed, mood, stops, far, near } = setting;
  const column = columnOf(setting, u);
  for (let layer = LAYERS - 1; layer >= 0; layer -= 1) {
    const t = layer / (LAYERS - 1);
    const top = (column.tops[layer] ?? 0) - (layer === LAYERS - 1 ? column.firs : 0);
    if (v < top) continue;
    const below = v - top;
    let colour = blend(far, near, t ** 1.25);
    const rock = fbm(u * 14 + layer * 9, v * 22, seed + layer, 4);
    const facing = fbm(u * 9 + below * 5, v * 5, seed + layer + 40, 4);
    colour = blend(colour, [1, 0.97, 0.92], (facing - 0.38) * 0.5 * (1 - t));
    const snow = ramp(0.13 - 0.1 * rock, 0.0, below - 0.03 + 0.14 * (facing - 0.5)) * mood.snow;
    if (layer < 3)
      colour = blend(
        colour,
        blend([0.96, 0.97, 1], far, 0.28 + t * 0.5),
        snow * ramp(0.34, 0.52, facing),
      );
    colour = blend(colour, near, (rock - 0.5) * 0.3 * t);
    const mist = clamp(below * 3.2) * (1 - t) * 0.75;
    return blend(colour, blend(stops.at(-1) ?? far, far, 0.45), layer === LAYERS - 1 ? 0 : mist);
  }
  return sky(setting, u, v);
}

function profile(setting: Setting, layer: number, u: number): number {
  const { seed, aspect, base } = setting;
  const t = layer / (LAYERS - 1);
  const height = 0.3 * (1 - t) + 0.1;
  const crest = ridges(u * (1.3 + t * 1.6) + layer * 3.7, seed + layer * 13, 6);
  return base + t ** 1.1 * (aspect - base) * 0.78 + 0.16 - height * crest;
}

/** Firs: narrow triangles on a jittered row, rows of several sizes. */
function firs(setting: Setting, u: number): number {
  const { seed } = setting;
  let top = 0;
  for (let row = 0; row < 3; row += 1) {
    const scale = 26 + row * 17;
    const cell = Math.floor(u * scale);
    for (let step = -1; step <= 1; step += 1) {
      const id = cell + step;
      const centre = (id + 0.2 + 0.6 * hash(id, row, seed)) / scale;
      const height = (0.06 + 0.1 * hash(id, row + 9, seed)) * (1 - row * 0.22);
      const across = Math.abs(u - centre) * scale * 1.5;
      const jag = 0.86 + 0.14 * hash(Math.floor(across * 9), id, seed);
      top = Math.max(top, height * (1 - across * jag * 1.05));
    }
  }
  return top;
}

function sky(setting: Setting, u: number, v: number): Colour {
  const { seed, stops, far, isNight, sunU, base } = setting;
  let colour = gradient(stops, v / (base + 0.22));
  const cloud = fbm(u * 2 + 4, v * 7, seed + 77, 5);
  const light = blend(stops.at(-1) ?? far, [1, 0.97, 0.92], 0.4);
  colour = blend(colour, light, ramp(0.5, 0.78, cloud) * (isNight ? 0.12 : 0.55));
  const distance = Math.hypot(u - sunU, v - base * 0.75);
  colour = blend(
    colour,
    [1.2, 1.08, 0.9],
    (isNight ? 0.3 : 0.75) * Math.exp(-distance * (isNight ? 14 : 6)),
  );
  if (isNight) {
    const cell = hash(Math.floor(u * 420), Math.floor(v * 420), seed);
    const star = cell > 0.9972 ? (cell - 0.9972) * 330 : 0;
    return [colour[0] + star, colour[1] + star, colour[2] + star];
  }
  return colour;
}

function columnOf(setting: Setting, u: number): { tops: number[]; firs: number } {
  const { tops } = setting;
  const known = tops.get(u);
  if (known) return known;
  const column = {
    tops: Array.from({ length: LAYERS }, (_, layer) => profile(setting, layer, u)),
    firs: firs(setting, u),
  };
  tops.set(u, column);
  return column;
}
