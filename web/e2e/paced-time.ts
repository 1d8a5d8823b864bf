import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'fast-clock.mjs')).href;
/** A change of pace is told ahead, so that every process makes it at the same instant. */
const AHEAD_MS = 300;

/** The time of processes started with `nodeOptions`, which runs like ours until told to run faster. */
export class PacedTime {
  readonly nodeOptions: string;
  readonly #path: string;
  #aheadMs = 0;

  /** @param path of a file that says how time runs */
  constructor(path: string) {
    this.#path = path;
    writeFileSync(path, '');
    this.nodeOptions = `--import=${PRELOAD}?${encodeURIComponent(path)}`;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Lets so much of their time pass, at so many times the pace of ours. */
  async pass(durationMs: number, factor: number): Promise<void> {
    const startAt = Date.now() + AHEAD_MS;
    const endAt = startAt + durationMs / factor;
    const time = startAt + this.#aheadMs;
    this.#tell({ at: startAt, time, factor }, { at: endAt, time: time + durationMs, factor: 1 });
    this.#aheadMs += durationMs - durationMs / factor;
    await sleep(endAt - Date.now());
  }

  #tell(...paces: ReadonlyArray<{ at: number; time: number; factor: number }>): void {
    appendFileSync(this.#path, paces.map((pace) => `${JSON.stringify(pace)}\n`).join(''));
  }
}
