import { blend, clamp, gradient, hex, pick, ramp, type Colour } from '../colour.ts';
import type { Shade } from '../image.ts';
import { createRandom, fbm, ridges } from '../noise.ts';

const SKIES = [
  ['#2b3a67', '#6b5b95', '#d9798b', '#f6a86c', '#ffd99a'],
  ['#1d2b53', '#46407c', '#a44a73', '#ef7b5d', '#ffc46b'],
  ['#4a6fa5', '#8fb0d3', '#f2c6b4', '#f9b384', '#ffe2a8'],
  ['#16213e', '#3b2f63', '#8c3f6b', '#d9604c', '#f7a943'],
] as const;

function compose(seed: number, aspect: number) {
  const random = createRandom(seed);
  const stops = pick(SKIES, random()).map(hex);
  const horizon = aspect * (0.52 + random() * 0.14);
  const sunU = 0.25 + random() * 0.5;
  const sunV = horizon - 0.05 - random() * 0.09;
  const cover = 0.42 + random() * 0.14;
  const headland = random() < 0.7 ? (random() < 0.5 ? -1 : 1) : 0;
  const glow = stops.at(-1) ?? hex('#ffd99a');
  const dark = blend(stops[0] ?? glow, [0.03, 0.03, 0.06], 0.72);
  return { seed, aspect, stops, horizon, sunU, sunV, cover, headland, glow, dark };
}
type Setting = ReturnType<typeof compose>;

/** The sun low over the sea: lit clouds, a glittering path, a dark headland. */
export function sunset(seed: number, aspect: number): Shade {
  const setting = compose(seed, aspect);
  return (u, v) => shade(setting, u, v);
}

function shade(setting: Setting, u: number, v: number): Colour {
  const { seed, horizon, sunU, headland, glow, dark } = setting;
  const side = headland < 0 ? u : 1 - u;
  const land =
    headland === 0 ? 0 : (0.13 * ridges(side * 2.4, seed + 31, 5) + 0.02) * ramp(0.52, 0.05, side);
  if (land > 0.0035 && v > horizon - land && v < horizon + 0.006) {
    return blend(dark, glow, 0.1 * ramp(0.1, 0, Math.abs(u - sunU)));
  }
  return v < horizon ? sky(setting, u, v) : sea(setting, u, v);
}

function sky(setting: Setting, u: number, v: number): Colour {
  const { seed, stops, horizon, sunU, sunV, cover, glow, dark } = setting;
  const distance = Math.hypot(u - sunU, (v - sunV) * 1.25);
  let colour = gradient(stops, (v / horizon) ** 1.15);
  colour = blend(colour, glow, 0.55 * Math.exp(-distance * 5));
  const warp = fbm(u * 2.2, v * 5, seed + 5, 2);
  const cloud = fbm(u * 2.6 + warp, v * 11 + warp * 1.5, seed, 5);
  const density =
    ramp(cover + 0.04, cover + 0.26, cloud) * ramp(0, horizon * 0.45, horizon - v + 0.06);
  const lit = blend(
    blend(stops[1] ?? glow, dark, 0.35),
    stops[3] ?? glow,
    clamp(1.25 - distance * 1.7),
  );
  const rim = ramp(cover + 0.22, cover + 0.04, cloud) * Math.exp(-distance * 3.2);
  colour = blend(colour, lit, density * 0.85);
  colour = blend(colour, [1.15, 0.9, 0.62], density * rim * 0.8);
  const disc = ramp(0.04, 0.034, Math.hypot(u - sunU, v - sunV));
  return blend(colour, [1.5, 1.22, 0.85], disc * (1 - density * 0.55));
}

function sea(setting: Setting, u: number, v: number): Colour {
  const { seed, aspect, horizon, sunU, dark } = setting;
  const depth = (v - horizon) / (aspect - horizon);
  const near = 1 / (0.06 + depth);
  const swell = fbm(u * near * 1.3, near * 6 + seed, seed + 9, 4) - 0.5;
  const mirrored = horizon - (v - horizon) * 0.9 + swell * 0.14 * (0.4 + depth);
  let colour = blend(
    sky(setting, u + swell * 0.03, clamp(mirrored, 0, horizon - 0.002)),
    dark,
    0.25 + 0.4 * depth,
  );
  const ripple = fbm(u * near * 6, near * 34, seed + 3, 2);
  const path = Math.exp(-(((u - sunU) / (0.025 + depth * 0.16)) ** 2));
  colour = blend(colour, [1.3, 1.0, 0.66], path * ramp(0.5, 0.74, ripple) * 0.9);
  return blend(colour, dark, ramp(0.6, 0.12, ripple) * 0.22);
}
