import { blend, clamp, gradient, hex, pick, ramp, type Colour } from '../colour.ts';
import type { Shade } from '../image.ts';
import { createRandom, fbm, hash, noise } from '../noise.ts';

const MOODS = [
  { sand: '#ead2a8', wet: '#b58f63', water: ['#a6e3d8', '#3fb8bd', '#14789a', '#0b4a74'] },
  { sand: '#efe3cf', wet: '#c2a988', water: ['#c4efe3', '#62c9c6', '#2a93a9', '#17607f'] },
  { sand: '#c9a892', wet: '#8d6a5c', water: ['#b4d8d2', '#5fa3a8', '#27697d', '#103d54'] },
] as const;

interface Parasol {
  u: number;
  v: number;
  radius: number;
  hue: Colour;
}

function compose(seed: number, aspect: number) {
  const random = createRandom(seed);
  const mood = pick(MOODS, random());
  const sand = hex(mood.sand);
  const wet = hex(mood.wet);
  const water = mood.water.map(hex);
  const angle = (random() - 0.5) * 1.2 + (random() < 0.5 ? 0 : Math.PI);
  const middle = 0.3 + random() * 0.22;
  const parasols = makeParasols(random, aspect);
  return { seed, aspect, sand, wet, water, angle, middle, parasols };
}
type Setting = ReturnType<typeof compose>;

/** A beach from straight above: lines of foam, water that deepens, a few parasols with shadows. */
export function sea(seed: number, aspect: number): Shade {
  const setting = compose(seed, aspect);
  return (u, v) => shade(setting, u, v);
}

function shade(setting: Setting, u: number, v: number): Colour {
  const { middle, parasols } = setting;
  const d = across(setting, u, v);
  let colour = plain(setting, u, v);
  for (const { u: pu, v: pv, radius, hue } of parasols) {
    if (across(setting, pu, pv) > middle - 0.16) continue;
    const shadow = Math.hypot(u - pu - radius * 0.5, v - pv - radius * 0.6) / radius;
    if (d < middle) colour = blend(colour, [0.24, 0.2, 0.2], 0.5 * ramp(1.08, 0.94, shadow));
    const distance = Math.hypot(u - pu, v - pv) / radius;
    if (distance > 1) continue;
    const slice = ((Math.atan2(v - pv, u - pu) / (2 * Math.PI)) * 8 + 8) % 2;
    const cloth: Colour = slice < 1 ? hue : [0.97, 0.95, 0.9];
    const light = 0.98 - 0.22 * Math.max(0, (u - pu + v - pv) / radius) - 0.14 * distance ** 3;
    colour = [cloth[0] * light, cloth[1] * light, cloth[2] * light];
    if (distance < 0.05) colour = [0.95, 0.93, 0.9];
  }
  return colour;
}

/** Distance from the beach's top edge across the shore: below `middle` is sand. */
function across(setting: Setting, u: number, v: number): number {
  const { aspect, angle } = setting;
  return 0.5 + Math.cos(angle) * (v / aspect - 0.5) + Math.sin(angle) * (u - 0.5) * 0.7;
}

function shoreline(setting: Setting, u: number, v: number, wave: number): number {
  const { seed, angle, middle } = setting;
  const along = u * Math.cos(angle) - v * Math.sin(angle);
  const swing = noise(along * 2.3 + wave * 3.1, wave * 5.3, seed + wave) - 0.5;
  const lobes = fbm(along * 7 + wave * 1.7, wave * 2.2, seed + 20 + wave, 3) - 0.5;
  return middle + wave * 0.105 + swing * 0.14 + lobes * 0.05;
}

function sandColour(setting: Setting, u: number, v: number, d: number, edge: number): Colour {
  const { seed, sand, wet } = setting;
  const grain = hash(Math.floor(u * 1080), Math.floor(v * 1080), seed) - 0.5;
  const prints = fbm(u * 30, v * 30, seed + 7, 3) - 0.5;
  const tone = grain * 0.05 + prints * 0.13 + (fbm(u * 3, v * 3, seed + 8, 3) - 0.5) * 0.1;
  const dry: Colour = [sand[0] + tone, sand[1] + tone * 0.95, sand[2] + tone * 0.8];
  return blend(dry, wet, ramp(0.085, 0.012, edge - d) * 0.85);
}

function waterColour(setting: Setting, u: number, v: number, d: number, edge: number): Colour {
  const { seed, wet, water } = setting;
  const depth = clamp((d - edge) / (1.02 - edge));
  const shallow = fbm(u * 3.4, v * 3.4, seed + 30, 4) - 0.5;
  let colour = gradient(water, clamp(depth ** 0.85 + shallow * 0.32));
  colour = blend(colour, wet, 0.5 * ramp(0.1, 0, d - edge));
  const chop = fbm(u * 26 + shallow * 5, v * 26, seed + 31, 3) - 0.5;
  colour = [colour[0] + chop * 0.1, colour[1] + chop * 0.12, colour[2] + chop * 0.12];
  for (let wave = 0; wave < 4; wave += 1) {
    // A line strays at most 0.095 from its mean place.
    if (Math.abs(d - setting.middle - wave * 0.105) > 0.22) continue;
    const line = shoreline(setting, u, v, wave);
    const behind = d - line;
    if (behind < -0.02 || behind > 0.12) continue;
    const bubbles = fbm(u * 34, v * 34, seed + 40 + wave, 3);
    const width = 0.02 + 0.02 * noise(u * 5, v * 5, seed + wave);
    const front = wave === 0 ? ramp(-0.003, 0.004, behind) : ramp(-0.012, 0.003, behind);
    const lace =
      front *
      ramp(width * 2.6, 0, behind) *
      ramp(0.36, 0.62, bubbles + 0.3 * ramp(width, 0, behind));
    colour = blend(colour, [1, 1, 0.99], clamp(lace * (1.05 - wave * 0.17)));
  }
  return colour;
}

function plain(setting: Setting, u: number, v: number): Colour {
  const d = across(setting, u, v);
  const edge = shoreline(setting, u, v, 0);
  return d < edge ? sandColour(setting, u, v, d, edge) : waterColour(setting, u, v, d, edge);
}

function makeParasols(random: () => number, aspect: number): Parasol[] {
  const hues: readonly [Colour, Colour, Colour] = [hex('#d5443a'), hex('#2c7a9e'), hex('#e8a13a')];
  return Array.from({ length: 9 }, () => ({
    u: random(),
    v: random() * aspect,
    radius: 0.034 + random() * 0.014,
    hue: pick(hues, random()),
  }));
}
