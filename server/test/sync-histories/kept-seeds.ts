import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, 'kept-seeds.json');

/** Histories that went wrong once; they are played first ever after. */
export const KEPT_SEEDS = JSON.parse(readFileSync(FILE, 'utf8')) as number[];

/** Keeps the seed of a history that went wrong. */
export function keepSeed(seed: number): void {
  if (KEPT_SEEDS.includes(seed)) return;
  KEPT_SEEDS.push(seed);
  writeFileSync(FILE, `${JSON.stringify(KEPT_SEEDS)}\n`);
}
