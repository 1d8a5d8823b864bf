import { blend, clamp, gradient, hex, pick, ramp, type Colour } from '../colour.ts';
import type { Shade } from '../image.ts';
import { createRandom, fbm, hash, noise } from '../noise.ts';

const SKIES = [
  ['#14204a', '#33478a', '#8a6aa0', '#f0a27c'],
  ['#0c1838', '#1c3a72', '#3f74a8', '#9fbdd2'],
  ['#231442', '#5a2d78', '#b84f7c', '#f7a066'],
] as const;
const LAMPS: readonly [Colour, Colour, Colour] = [
  [1.25, 0.88, 0.45],
  [1.2, 1.05, 0.8],
  [0.75, 0.95, 1.2],
];
const ROWS = 4;

interface Building {
  top: number;
  /** 0 at the left edge, 1 at the right one. */
  across: number;
  id: number;
  width: number;
}

function compose(seed: number, aspect: number) {
  const random = createRandom(seed);
  const stops = pick(SKIES, random()).map(hex);
  const shore = aspect * (0.62 + random() * 0.08);
  const haze = stops.at(-1) ?? hex('#6f86a8');
  const moonU = 0.15 + random() * 0.7;
  const moonV = aspect * (0.1 + random() * 0.1);
  const tower = 0.2 + random() * 0.6;
  return { seed, aspect, stops, shore, haze, moonU, moonV, tower };
}
type Setting = ReturnType<typeof compose>;

/** A waterfront at blue hour: towers with lit windows, haze between the rows, lights in the water. */
export function city(seed: number, aspect: number): Shade {
  const setting = compose(seed, aspect);
  return (u, v) => shade(setting, u, v);
}

function shade(setting: Setting, u: number, v: number): Colour {
  const { seed, shore } = setting;
  if (v > shore + 0.004) return water(setting, u, v);
  if (v > shore - 0.006) {
    const lamp = Math.abs(((u * 22 + hash(1, 1, seed)) % 1) - 0.5);
    return lamp < 0.06 ? [1.5, 1.1, 0.6] : [0.03, 0.03, 0.05];
  }
  return skyline(setting, u, v);
}

function buildingAt(setting: Setting, row: number, u: number): Building {
  const { seed, shore, tower } = setting;
  const scale = 15 - row * 2.2;
  const place = u * scale + row * 0.37;
  const id = Math.floor(place);
  const chance = hash(id, row, seed);
  const centre = Math.exp(-(((id + 0.5 - row * 0.37) / scale - tower) ** 2) / 0.05);
  const height =
    (0.07 + 0.26 * chance ** 1.7 + 0.2 * centre * hash(id, row + 5, seed)) * (1 - row * 0.14);
  const step = hash(id, row + 30, seed) < 0.4 && place - id > 0.6 ? 0.028 : 0;
  return { top: shore - height + step, across: place - id, id, width: 1 / scale };
}

function windowLight(
  setting: Setting,
  row: number,
  building: Building,
  v: number,
): Colour | undefined {
  const { seed } = setting;
  const columns = Math.max(4, Math.floor(building.width / 0.0085));
  const floors = (v - building.top) / 0.0125;
  const column = Math.floor(building.across * columns);
  const inX = building.across * columns - column;
  const inY = floors - Math.floor(floors);
  if (inX < 0.24 || inX > 0.76 || inY < 0.26 || inY > 0.74 || floors < 1) return undefined;
  const chance = hash(column + building.id * 57, Math.floor(floors) + row * 91, seed + 2);
  const busy = 0.22 + 0.4 * hash(building.id, row, seed + 8);
  if (chance > busy) return undefined;
  const lamp = pick(LAMPS, hash(building.id, Math.floor(floors / 6), seed + 4) * 0.99);
  const power = 0.62 + 0.9 * hash(column, Math.floor(floors), seed + 6) ** 2;
  return [lamp[0] * power, lamp[1] * power, lamp[2] * power];
}

function sky(setting: Setting, u: number, v: number): Colour {
  const { seed, stops, shore, haze, moonU, moonV } = setting;
  const cloud = fbm(u * 2.4, v * 6, seed + 40, 4);
  let colour = gradient(stops, (v / shore) ** 1.5);
  colour = blend(colour, haze, ramp(0.5, 0.85, cloud) * 0.28 * (v / shore));
  const distance = Math.hypot(u - moonU, v - moonV);
  colour = blend(colour, [1.15, 1.1, 1], ramp(0.024, 0.022, distance) * 0.92);
  return blend(colour, [0.8, 0.85, 1], 0.22 * Math.exp(-distance * 16));
}

function skyline(setting: Setting, u: number, v: number): Colour {
  const { shore, haze } = setting;
  for (let row = ROWS - 1; row >= 0; row -= 1) {
    const building = buildingAt(setting, row, u);
    if (v < building.top || building.across < 0.02 || building.across > 0.98) continue;
    const depth = 1 - row / (ROWS - 1);
    const wall = blend(
      [0.035, 0.045, 0.085],
      haze,
      0.1 + depth * 0.42 * ramp(shore - 0.4, shore, v),
    );
    const side = building.across > 0.62 ? 0.8 : 1;
    const light = windowLight(setting, row, building, v);
    const base: Colour = [wall[0] * side, wall[1] * side, wall[2] * side];
    return light ? blend(base, light, 0.86 - depth * 0.45) : base;
  }
  return sky(setting, u, v);
}

/** Long smears of light: the skyline averaged over a wobbling column. */
function water(setting: Setting, u: number, v: number): Colour {
  const { seed, aspect, shore, haze } = setting;
  const depth = (v - shore) / (aspect - shore);
  const near = 1 / (0.12 + depth);
  const wobble = noise(u * near * 5, near * 17, seed + 11) - 0.5;
  let sum: Colour = [0, 0, 0];
  for (let tap = 0; tap < 4; tap += 1) {
    const mirrored = shore - (v - shore) * (0.72 + tap * 0.2) - 0.008 * tap;
    const at = skyline(
      setting,
      clamp(u + wobble * 0.05 * (0.3 + depth), 0, 1),
      clamp(mirrored, 0, shore),
    );
    sum = [sum[0] + at[0] / 4, sum[1] + at[1] / 4, sum[2] + at[2] / 4];
  }
  const glint = ramp(0.55, 0.8, fbm(u * near * 8, near * 40, seed + 14, 2));
  const lifted: Colour = [sum[0] * 1.15, sum[1] * 1.1, sum[2] * 1.1];
  return blend(blend(lifted, [0.02, 0.03, 0.07], 0.3 + depth * 0.35), haze, glint * 0.22);
}
