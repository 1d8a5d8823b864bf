import { blend, clamp, gradient, hex, pick, ramp, type Colour } from '../colour.ts';
import type { Shade } from '../image.ts';
import { createRandom, fbm, noise } from '../noise.ts';

const MOODS = [
  { back: ['#16321f', '#3f7a3f', '#b9c96a'], petal: '#f2b6c6', deep: '#c2406f', heart: '#f6d04d' },
  { back: ['#1c2a3a', '#3d6a80', '#a9c9bf'], petal: '#fdf6ea', deep: '#e3c7a0', heart: '#e8a21f' },
  { back: ['#2a1a20', '#7a3b3b', '#e0a05a'], petal: '#f6813a', deep: '#b3241f', heart: '#4b2318' },
  { back: ['#12261f', '#2f5d4a', '#86b07a'], petal: '#b79ae0', deep: '#5d3fa3', heart: '#f3e08a' },
] as const;

interface Disc {
  u: number;
  v: number;
  radius: number;
  light: Colour;
  power: number;
}

function compose(seed: number, aspect: number) {
  const random = createRandom(seed);
  const mood = pick(MOODS, random());
  const back = mood.back.map(hex);
  const petal = hex(mood.petal);
  const deep = hex(mood.deep);
  const heart = hex(mood.heart);
  const centreU = 0.36 + random() * 0.28;
  const centreV = aspect * (0.38 + random() * 0.12);
  const size = 0.25 + random() * 0.06;
  const petals = 5 + Math.floor(random() * 5);
  const turn = random() * 6;
  const tilt = 0.78 + random() * 0.2;
  const discs = makeDiscs(random, back.at(-1) ?? petal, aspect);
  return {
    seed,
    aspect,
    back,
    petal,
    deep,
    heart,
    centreU,
    centreV,
    size,
    petals,
    turn,
    tilt,
    discs,
  };
}
type Setting = ReturnType<typeof compose>;

/** A flower in sharp focus before lights gone to discs. */
export function bokeh(seed: number, aspect: number): Shade {
  const setting = compose(seed, aspect);
  return (u, v) => shade(setting, u, v);
}

function shade(setting: Setting, u: number, v: number): Colour {
  const { seed, heart, centreU, centreV, size, petals, turn, tilt } = setting;
  const du = u - centreU;
  const dv = (v - centreV) / tilt;
  const radius = Math.hypot(du, dv);
  if (radius < size * 0.21) {
    const grain =
      0.5 * noise(u * 150, v * 150, seed + 4) +
      0.5 * noise(u * 311 + v * 97, v * 311 - u * 97, seed + 6);
    const dome = 1 - (radius / (size * 0.21)) ** 2 * 0.55;
    const light = (0.55 + 0.6 * grain) * dome * (1 - dv * 2.2);
    return [heart[0] * light, heart[1] * light, heart[2] * light];
  }
  const front = ring(setting, u, v, petals, size * 0.82, turn + 0.4);
  const behind = ring(setting, u, v, petals, size, turn);
  if (front) {
    const contact = ramp(0.2, 0.34, radius / size);
    return blend([front[0] * 0.5, front[1] * 0.45, front[2] * 0.45], front, contact);
  }
  if (behind) return [behind[0] * 0.86, behind[1] * 0.84, behind[2] * 0.86];
  const stalk = stem(setting, u, v);
  const ground = backdrop(setting, u, v);
  return stalk > 0
    ? blend(ground, [0.3 * stalk, 0.46 * stalk, 0.2 * stalk], ramp(0, 0.4, stalk))
    : ground;
}

function backdrop(setting: Setting, u: number, v: number): Colour {
  const { seed, aspect, back, discs } = setting;
  const soft = fbm(u * 1.7, v * 1.7, seed, 2);
  let colour = gradient(back, clamp(0.1 + soft * 0.95 - (v / aspect) * 0.25));
  for (const disc of discs) {
    const distance = Math.hypot(u - disc.u, v - disc.v) / disc.radius;
    if (distance > 1) continue;
    const edge = ramp(1, 0.93, distance) * (0.72 + 0.28 * distance ** 6);
    colour = blend(colour, disc.light, edge * disc.power);
  }
  return colour;
}

/** One ring of petals; undefined outside of it. */
function ring(
  setting: Setting,
  u: number,
  v: number,
  count: number,
  reach: number,
  offset: number,
): Colour | undefined {
  const { seed, petal, deep, centreU, centreV, tilt } = setting;
  const du = u - centreU;
  const dv = (v - centreV) / tilt;
  const radius = Math.hypot(du, dv);
  if (radius > reach) return undefined;
  const angle = Math.atan2(dv, du) + offset;
  const slice = (angle / (2 * Math.PI)) * count;
  const id = Math.round(slice);
  const across = (slice - id) * 2;
  const length = reach * (0.9 + 0.1 * noise(((id % count) + count) % count, offset, seed));
  const along = radius / length;
  const halfWidth =
    Math.sin(clamp(along ** 0.72) * Math.PI) ** 0.55 * 0.97 + (along < 0.5 ? 0.1 : 0);
  if (along > 1 || Math.abs(across) > halfWidth) return undefined;
  const veins = 0.5 + 0.5 * Math.sin(across * 17 + noise(along * 4, id, seed) * 3);
  const fold = 1 - Math.abs(across) ** 1.6 * 0.42;
  const tone = blend(deep, petal, clamp(along ** 0.75 * 1.15 - veins * 0.06));
  const light =
    (0.66 + 0.34 * fold) * (0.88 + 0.2 * Math.cos(angle - offset + 2.2)) * (0.84 + 0.2 * along);
  const shadow = 1 - 0.42 * ramp(0.8, 1, Math.abs(across) / halfWidth);
  return [tone[0] * light * shadow, tone[1] * light * shadow, tone[2] * light * shadow];
}

function stem(setting: Setting, u: number, v: number): number {
  const { centreU, centreV, turn } = setting;
  const below = v - centreV;
  if (below < 0) return 0;
  const bend = centreU + 0.09 * Math.sin(below * 2.6 + turn) - 0.09 * Math.sin(turn);
  return ramp(0.013, 0.009, Math.abs(u - bend)) * (1 - 0.5 * ((u - bend) / 0.013));
}

function makeDiscs(random: () => number, warm: Colour, aspect: number): Disc[] {
  return Array.from({ length: 26 }, () => {
    const tint = random();
    return {
      u: random(),
      v: random() ** 1.2 * aspect,
      radius: 0.03 + random() ** 2 * 0.1,
      light: blend(warm, [1.15, 1.08, 0.9], tint),
      power: 0.12 + random() * 0.34,
    };
  });
}
