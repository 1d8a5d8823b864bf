import { blend, clamp, gradient, hex, pick, ramp, type Colour } from '../colour.ts';
import type { Shade } from '../image.ts';
import { createRandom, fbm, noise } from '../noise.ts';

const MOODS = [
  { sky: ['#5f93c4', '#bcd7e6', '#f5e6cf'], lit: '#e9b577', shade: '#8a4f34', haze: '#f2dcc0' },
  { sky: ['#8a5a7d', '#e59a7d', '#ffdba4'], lit: '#e58f4f', shade: '#5c2a35', haze: '#f6c69a' },
  { sky: ['#3d5a80', '#98b4cf', '#e6e2dc'], lit: '#d8c09b', shade: '#6f5848', haze: '#e0d8ca' },
] as const;
const LAYERS = 5;

function compose(seed: number, aspect: number) {
  const random = createRandom(seed);
  const mood = pick(MOODS, random());
  const stops = mood.sky.map(hex);
  const lit = hex(mood.lit);
  const shaded = hex(mood.shade);
  const haze = hex(mood.haze);
  const horizon = aspect * (0.3 + random() * 0.12);
  const lean = random() < 0.5 ? -1 : 1;

  const crests = new Map<number, number[]>();
  return { seed, aspect, stops, lit, shaded, haze, horizon, lean, crests };
}
type Setting = ReturnType<typeof compose>;

/** Sand in low light: sharp crests, a lit and a shaded side, wind ripples, haze in the distance. */
export function dunes(seed: number, aspect: number): Shade {
  const setting = compose(seed, aspect);
  return (u, v) => shade(setting, u, v);
}

function shade(setting: Setting, u: number, v: number): Colour {
  const { seed, stops, lit, shaded, haze, horizon, lean } = setting;
  const column = crestsOf(setting, u);
  for (let layer = LAYERS - 1; layer >= 0; layer -= 1) {
    const top = column[layer] ?? 0;
    if (v < top) continue;
    const t = layer / (LAYERS - 1);
    const below = v - top;
    const across = (u - spine(setting, layer, below)) * lean;
    const light = clamp(0.62 + 0.5 * (fbm(u * 1.6 + layer, v * 2.2, seed + layer, 3) - 0.5));
    const isShaded =
      ramp(-0.01, 0.014 + below * 0.16, across) * ramp(1.1, 0.35, below / (0.16 + t * 0.34));
    const warp = noise(u * 3.1, v * 5, seed + 21) + 0.4 * noise(u * 9, v * 15, seed + 22);
    const near = 210 - t * 110;
    const ripple = Math.sin((v * 1.3 + u * 0.3 * lean + warp * 0.075) * near * 1.9);
    const grain = noise(u * 330, v * 330, seed + 2) - 0.5;
    let colour = blend(shaded, lit, clamp(light * (1 - isShaded * 0.74)));
    const relief =
      (ripple * 0.022 * (0.25 + t) * (0.35 + light) + grain * 0.07) * (1 - isShaded * 0.6);
    colour = [colour[0] + relief, colour[1] + relief * 0.86, colour[2] + relief * 0.7];
    colour = blend(colour, [1.06, 0.93, 0.74], 0.4 * ramp(0.007, 0, below) * (1 - isShaded));
    return blend(colour, haze, (1 - t) ** 1.5 * 0.72);
  }
  const cloud = fbm(u * 2.2, v * 8, seed + 60, 4);
  const sky = gradient(stops, v / (horizon + 0.05));
  return blend(sky, [1, 0.95, 0.9], ramp(0.54, 0.86, cloud) * 0.45);
}

function crest(setting: Setting, layer: number, u: number): number {
  const { seed, aspect, horizon } = setting;
  const t = layer / (LAYERS - 1);
  const frequency = 2.6 - t * 1.7;
  const wave = noise(u * frequency + layer * 5.3, layer * 2.1, seed + layer);
  const fold =
    1 - Math.abs(2 * noise(u * frequency * 0.8 + layer * 1.7, 3.3, seed + layer * 7) - 1);
  return (
    horizon +
    t ** 1.35 * (aspect - horizon) * 0.74 +
    0.06 -
    (0.05 + t * 0.2) * (0.45 * wave + 0.55 * fold)
  );
}

/** Where the ridge line that parts light from shade runs down a dune, in u. */
function spine(setting: Setting, layer: number, below: number): number {
  const { seed, lean } = setting;
  const t = layer / (LAYERS - 1);
  const bend = noise(below * (5 - t * 3) + layer * 3, 8.1, seed + layer * 17) - 0.5;
  return (
    0.22 + 0.56 * noise(layer * 1.9, 0.4, seed + 3) + lean * below * (0.9 + t * 0.5) + bend * 0.34
  );
}

function crestsOf(setting: Setting, u: number): number[] {
  const { crests } = setting;
  const known = crests.get(u);
  if (known) return known;
  const column = Array.from({ length: LAYERS }, (_, layer) => crest(setting, layer, u));
  crests.set(u, column);
  return column;
}
