import { clamp, type Colour } from './colour.ts';
import { hash } from './noise.ts';

/** Pixels in the making: three floats each. */
export interface Image {
  width: number;
  height: number;
  data: Float32Array;
}

/** Colour at a place: `u` runs 0 to 1 over the width, `v` from 0 at the top in the same unit. */
export type Shade = (u: number, v: number) => Colour;

export function paint(width: number, height: number, shade: Shade): Image {
  const data = new Float32Array(width * height * 3);
  let at = 0;
  for (let y = 0; y < height; y += 1) {
    const v = (y + 0.5) / width;
    for (let x = 0; x < width; x += 1) {
      const colour = shade((x + 0.5) / width, v);
      data[at] = colour[0];
      data[at + 1] = colour[1];
      data[at + 2] = colour[2];
      at += 3;
    }
  }
  return { width, height, data };
}

export interface Finish {
  /** How much bright light spills over, 0 to 1. */
  bloom: number;
  /** Darkening of the corners, 0 to 1. */
  vignette: number;
  /** Film grain, about 0.02. */
  grain: number;
  seed: number;
}

const CELL = 12;

/** Develops the picture like a photograph: spilling light, corner shading, a soft curve, grain. */
export function develop(image: Image, finish: Finish): Uint8Array {
  const { width, height, data } = image;
  const glow = glowOf(image);
  const bytes = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const dy = (y / height - 0.5) * 2;
    const spill = glowRow(glow, width, y);
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      const dx = (x / width - 0.5) * 2;
      const corner = dx * dx + dy * dy;
      const shade = 1 - finish.vignette * 0.3 * corner * (0.8 + 0.2 * corner);
      const grain = (hash(x, y, finish.seed) - 0.5) * 1.4 * finish.grain;
      for (let channel = 0; channel < 3; channel += 1) {
        const light = (data[at + channel] ?? 0) + (spill[x * 3 + channel] ?? 0) * finish.bloom;
        bytes[at + channel] = 255 * clamp(curve(light * shade) + grain);
      }
    }
  }
  return bytes;
}

/** Keeps shadows and rolls highlights off softly instead of clipping them. */
function curve(light: number): number {
  return light < 0.72 ? light : 0.72 + 0.28 * (1 - Math.exp(-(light - 0.72) / 0.28));
}

interface Glow {
  cells: Float32Array;
  columns: number;
  rows: number;
}

/** Bright light, gathered in cells and blurred. */
function glowOf({ width, height, data }: Image): Glow {
  const columns = Math.ceil(width / CELL);
  const rows = Math.ceil(height / CELL);
  let cells = new Float32Array(columns * rows * 3);
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      const at = (y * width + x) * 3;
      const cell = (Math.floor(y / CELL) * columns + Math.floor(x / CELL)) * 3;
      for (let channel = 0; channel < 3; channel += 1) {
        const over = (data[at + channel] ?? 0) - 0.62;
        if (over > 0) cells[cell + channel] = (cells[cell + channel] ?? 0) + over;
      }
    }
  }
  for (let index = 0; index < cells.length; index += 1) cells[index] = (cells[index] ?? 0) / 36;
  for (let pass = 0; pass < 3; pass += 1) cells = blur(cells, columns, rows);
  return { cells, columns, rows };
}

function blur(cells: Float32Array, columns: number, rows: number): Float32Array<ArrayBuffer> {
  const out = new Float32Array(cells.length);
  const reach = 2;
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      for (let channel = 0; channel < 3; channel += 1) {
        let sum = 0;
        for (let dy = -reach; dy <= reach; dy += 1) {
          for (let dx = -reach; dx <= reach; dx += 1) {
            const cy = clamp(y + dy, 0, rows - 1);
            const cx = clamp(x + dx, 0, columns - 1);
            sum += cells[(cy * columns + cx) * 3 + channel] ?? 0;
          }
        }
        out[(y * columns + x) * 3 + channel] = sum / (2 * reach + 1) ** 2;
      }
    }
  }
  return out;
}

/** The glow along one line of the picture, smooth between the cells. */
function glowRow({ cells, columns, rows }: Glow, width: number, y: number): Float32Array {
  const row = new Float32Array(width * 3);
  const py = clamp(y / CELL - 0.5, 0, rows - 1.001);
  const iy = Math.floor(py);
  const fy = py - iy;
  for (let x = 0; x < width; x += 1) {
    const px = clamp(x / CELL - 0.5, 0, columns - 1.001);
    const ix = Math.floor(px);
    const fx = px - ix;
    for (let channel = 0; channel < 3; channel += 1) {
      const at = (iy * columns + ix) * 3 + channel;
      const below = at + columns * 3;
      const top = (cells[at] ?? 0) * (1 - fx) + (cells[at + 3] ?? 0) * fx;
      const bottom = (cells[below] ?? 0) * (1 - fx) + (cells[below + 3] ?? 0) * fx;
      row[x * 3 + channel] = top * (1 - fy) + bottom * fy;
    }
  }
  return row;
}
