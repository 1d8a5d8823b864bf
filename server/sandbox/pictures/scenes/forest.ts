import { blend, clamp, gradient, hex, pick, ramp, type Colour } from '../colour.ts';
import type { Shade } from '../image.ts';
import { createRandom, fbm, hash, noise } from '../noise.ts';

const MOODS = [
  {
    fog: ['#e9edd8', '#b9cfae', '#5f8468'],
    bark: '#15201a',
    floor: '#2c3a22',
    sun: [1.25, 1.18, 0.9],
  },
  {
    fog: ['#f6dcae', '#dba263', '#8a5a3a'],
    bark: '#1d120d',
    floor: '#5a2f17',
    sun: [1.35, 1.08, 0.66],
  },
  {
    fog: ['#dfe8ee', '#a3bac8', '#54707f'],
    bark: '#10191f',
    floor: '#26333a',
    sun: [1.1, 1.15, 1.2],
  },
] as const;
const LAYERS = 4;

function compose(seed: number, aspect: number) {
  const random = createRandom(seed);
  const mood = pick(MOODS, random());
  const fog = mood.fog.map(hex);
  const bark = hex(mood.bark);
  const floor = hex(mood.floor);
  const sunU = 0.25 + random() * 0.5;
  const sunV = aspect * (0.3 + random() * 0.16);
  const ground = aspect * 0.78;
  return { seed, aspect, mood, fog, bark, floor, sunU, sunV, ground };
}
type Setting = ReturnType<typeof compose>;

/** Trunks fading into lit fog, rays from between the crowns, a soft floor. */
export function forest(seed: number, aspect: number): Shade {
  const setting = compose(seed, aspect);
  return (u, v) => shade(setting, u, v);
}

function shade(setting: Setting, u: number, v: number): Colour {
  const { seed, aspect, mood, bark, floor, ground } = setting;
  const behind = base(setting, u, v);
  let colour = behind;
  // Deep in the foreground only the nearest floor is seen.
  const farthest = v > ground + 0.08 ? LAYERS - 1 : 0;
  for (let layer = farthest; layer < LAYERS; layer += 1) {
    const t = layer / (LAYERS - 1);
    const tone = blend(behind, bark, 0.12 + 0.83 * t ** 1.15);
    const soil = ground - (1 - t) * 0.1 + (noise(u * 6 + layer, layer, seed + 70) - 0.5) * 0.05;
    const inside = trunk(setting, layer, u, v);
    if (inside > 0) {
      const texture = noise(u * 130, v * 17, seed + layer) - 0.5;
      const rim = ramp(0.5, 0, inside) * 0.22 * t;
      const wood = blend(tone, behind, clamp(rim + texture * 0.16 * t));
      colour = blend(colour, wood, ramp(0, 0.1, inside));
    }
    if (layer > 1 && v < aspect * 0.56) {
      colour = blend(
        colour,
        blend(tone, floor, 0.25 * t),
        crowns(setting, layer, u, v) * (0.2 + 0.45 * t),
      );
    }
    if (v > soil) {
      const tuft = fbm(u * 40, v * 60, seed + layer * 3, 2);
      const moss = blend(floor, behind, clamp(0.62 * (1 - t) + (tuft - 0.5) * 0.5));
      colour = blend(colour, moss, ramp(0, 0.02, v - soil));
    }
  }
  return blend(colour, mood.sun, rays(setting, u, v) * 0.5);
}

/** 0 outside, else 1 in the middle of a trunk to 0 at its edge. */
function trunk(setting: Setting, layer: number, u: number, v: number): number {
  const { seed, aspect, ground } = setting;
  const t = layer / (LAYERS - 1);
  const scale = 17 - t * 12.4;
  const lean = (noise(v * 1.4, layer * 4.1, seed + 3) - 0.5) * 0.05 * (0.5 + t);
  const place = (u + lean) * scale + layer * 1.7;
  const id = Math.floor(place);
  let inside = 0;
  for (let step = -1; step <= 1; step += 1) {
    const chance = hash(id + step, layer, seed);
    if (chance < 0.3) continue;
    const centre = id + step + 0.25 + 0.5 * hash(id + step, layer, seed + 1);
    const root = 1 + 0.8 * ramp(ground - 0.16, ground + 0.1, v) ** 2;
    const half = (0.1 + 0.1 * chance) * root * (0.8 + (0.3 * v) / aspect);
    inside = Math.max(inside, 1 - Math.abs(place - centre) / half);
  }
  return inside;
}

/** Crowns close the view at the top, softly, denser in front. */
function crowns(setting: Setting, layer: number, u: number, v: number): number {
  const { seed, aspect } = setting;
  const mass = fbm(u * 5 + layer * 5, v * 6, seed + layer * 9, 4);
  return ramp(0.34, 0.02, v / aspect - (mass - 0.5) * 0.42);
}

/** Light falls in from above the picture. */
function rays(setting: Setting, u: number, v: number): number {
  const { seed, aspect, sunU } = setting;
  const angle = Math.atan2(u - sunU, v + 0.3);
  const streak = noise(angle * 13, 1.5, seed + 50) * 0.6 + noise(angle * 37, 4.5, seed + 51) * 0.4;
  return ramp(0.42, 0.8, streak) * Math.exp(-(((u - sunU) / 0.42) ** 2)) * ramp(aspect, 0.1, v);
}

function base(setting: Setting, u: number, v: number): Colour {
  const { seed, mood, fog, sunU, sunV } = setting;
  const distance = Math.hypot(u - sunU, (v - sunV) * 0.9);
  const colour = gradient(fog, clamp(distance * 1.1 + 0.1 * (noise(u * 4, v * 4, seed + 8) - 0.5)));
  return blend(colour, mood.sun, 0.75 * Math.exp(-distance * 5.5));
}
