import { blend, clamp, hex, pick, ramp, type Colour } from '../colour.ts';
import type { Shade } from '../image.ts';
import { createRandom, fbm, noise } from '../noise.ts';

const MOODS = [
  { wall: '#d9c7b0', dark: '#8f7760', table: '#7a4f33' },
  { wall: '#7f9aa0', dark: '#34484f', table: '#c9b295' },
  { wall: '#5c6b60', dark: '#232b26', table: '#8a6746' },
  { wall: '#e6d9cf', dark: '#b79f94', table: '#e9e2d8' },
] as const;
const FRUITS = [
  { skin: '#e8801f', deep: '#a83f0c', bump: 0.5, gloss: 0.35 },
  { skin: '#d8c23a', deep: '#8d7a17', bump: 0.35, gloss: 0.4 },
  { skin: '#8fae3a', deep: '#45611a', bump: 0.15, gloss: 0.55 },
  { skin: '#b3202c', deep: '#4d0a16', bump: 0.1, gloss: 0.75 },
  { skin: '#5b3566', deep: '#24122c', bump: 0.08, gloss: 0.35 },
] as const;

interface Ball {
  x: number;
  y: number;
  z: number;
  radius: number;
  skin: Colour;
  deep: Colour;
  bump: number;
  gloss: number;
}

function compose(seed: number, aspect: number) {
  const random = createRandom(seed);
  const mood = pick(MOODS, random());
  const wall = hex(mood.wall);
  const dark = hex(mood.dark);
  const wood = hex(mood.table);
  const balls = arrange(random);
  const side = random() < 0.5 ? -1 : 1;
  const length = Math.hypot(0.72, 0.85, 0.6);
  const light = { x: (side * 0.72) / length, y: 0.85 / length, z: -0.6 / length };
  const edge = aspect * 0.5;

  const seen = [...balls]
    .sort((a, b) => a.z - b.z)
    .map((ball) => ({ ball, ...project({ aspect, edge }, ball) }));
  return { seed, aspect, wall, dark, wood, balls, side, light, edge, seen };
}
type Setting = ReturnType<typeof compose>;

/** Fruit on a table in the light of one window: spheres traced with soft shadows. */
export function still(seed: number, aspect: number): Shade {
  const setting = compose(seed, aspect);
  return (u, v) => shade(setting, u, v);
}

function shade(setting: Setting, u: number, v: number): Colour {
  const { seed, wood, light, seen } = setting;
  for (const { ball, u: bu, v: bv, radius } of seen) {
    const dx = (u - bu) / radius;
    const dy = (v - bv) / radius;
    const square = dx * dx + dy * dy;
    if (square > 1) continue;
    const depth = Math.sqrt(1 - square);
    const pores = (noise(dx * 34 + ball.x * 9, dy * 34, seed) - 0.5) * ball.bump;
    const facing = dx * light.x - dy * light.y + depth * 0.52 + pores * 0.16;
    const lit = ramp(-0.28, 0.95, facing);
    const stripe = noise(Math.atan2(dx, dy + 1.4) * 9, ball.radius * 40, seed + 5);
    let colour = blend(ball.deep, ball.skin, clamp(lit * 1.1 + (stripe - 0.5) * 0.14));
    const shade = (0.36 + 0.9 * lit) * (1 - 0.3 * ramp(0.45, 1, dy));
    colour = [colour[0] * shade, colour[1] * shade, colour[2] * shade];
    const bounce = ramp(0.25, 1, dy) * 0.16;
    colour = [
      colour[0] + wood[0] * bounce,
      colour[1] + wood[1] * bounce,
      colour[2] + wood[2] * bounce,
    ];
    const shine = Math.hypot(dx - light.x * 0.46, dy + light.y * 0.5);
    const gloss = ball.gloss * (Math.exp(-((shine / 0.2) ** 2)) + 0.25 * Math.exp(-shine * 3));
    colour = blend(colour, [1.1, 1.06, 1], clamp(gloss));
    const stalk = Math.hypot(dx * 1.2, (dy + 0.86) * 2.4);
    return stalk < 0.09
      ? [0.16, 0.12, 0.06]
      : blend(colour, ground(setting, u, v), ramp(0.965, 1, square) * 0.6);
  }
  return ground(setting, u, v);
}

/** How much of the light reaches a place on the table. */
function openness(setting: Setting, x: number, z: number): number {
  const { balls, light } = setting;
  let open = 1;
  for (const ball of balls) {
    const contact = Math.hypot(x - ball.x, z - ball.z) / ball.radius;
    open *= 1 - 0.62 * Math.exp(-(contact ** 2) * 1.5);
    const reach = ball.radius / light.y;
    const shadowX = x - (ball.x - light.x * reach);
    const shadowZ = z - (ball.z - light.z * reach);
    const distance = Math.hypot(shadowX, shadowZ * 0.8) / (ball.radius * 1.35);
    open *= 1 - 0.55 * ramp(1.15, 0.35, distance);
  }
  return open;
}

function ground(setting: Setting, u: number, v: number): Colour {
  const { seed, aspect, wall, dark, wood, side, edge } = setting;
  const beam = ramp(0.5, 0.1, Math.abs((u - 0.5) * side * -1 + (v - aspect * 0.3) * 0.7 - 0.08));
  if (v < edge) {
    const plaster = fbm(u * 5, v * 5, seed + 3, 5) - 0.5;
    const tone = clamp(0.35 + 0.6 * beam - (v / edge) * 0.1 + plaster * 0.2);
    return blend(dark, wall, tone);
  }
  const depth = (v - edge) / (aspect - edge);
  const z = 1.5 - depth * 1.6;
  const x = (u - 0.5) * (1.4 + z * 0.35) * 1.5;
  const plank =
    noise(x * 1.3 + 9, z * 21, seed + 6) * 0.5 + fbm(x * 2.4, z * 46, seed + 7, 3) * 0.5;
  const grainy = blend([wood[0] * 0.62, wood[1] * 0.6, wood[2] * 0.58], wood, plank * 1.2);
  const lit = openness(setting, x, z) * (0.55 + 0.5 * beam + 0.12 * depth);
  return [grainy[0] * lit, grainy[1] * lit, grainy[2] * lit * 0.98];
}

function project(
  setting: { aspect: number; edge: number },
  ball: Ball,
): { u: number; v: number; radius: number } {
  const { aspect, edge } = setting;
  const scale = 1 / ((1.4 + ball.z * 0.35) * 1.5);
  const foot = edge + ((1.5 - ball.z) / 1.6) * (aspect - edge);
  return {
    u: 0.5 + ball.x * scale,
    v: foot - ball.radius * scale * 0.82,
    radius: ball.radius * scale,
  };
}

function arrange(random: () => number): Ball[] {
  const balls: Ball[] = [];
  const count = 4 + Math.floor(random() * 4);
  const kind = Math.floor(random() * FRUITS.length);
  for (let attempt = 0; attempt < 200 && balls.length < count; attempt += 1) {
    const radius = 0.2 + random() * 0.08;
    const x = (random() + random() - 1) * 0.62;
    const z = 0.3 + random() * 0.5;
    if (balls.some((ball) => Math.hypot(ball.x - x, ball.z - z) < (ball.radius + radius) * 0.93))
      continue;
    const fruit =
      FRUITS[(kind + (random() < 0.68 ? 0 : 1 + Math.floor(random() * 4))) % FRUITS.length];
    if (!fruit) continue;
    const { skin, deep, bump, gloss } = fruit;
    balls.push({ x, y: radius, z, radius, skin: hex(skin), deep: hex(deep), bump, gloss });
  }
  return balls;
}
