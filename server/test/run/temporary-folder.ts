import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Plugin } from 'vitest/config';
import { exitOnSignals } from './exit-on-signals.ts';
import { isAlive } from './is-alive.ts';

const PREFIX = 'ovation-run-';
const MIB = 1024 * 1024;
/** Browsers' profiles, databases and data directories of a whole run, at the same time. */
const LEAST_BYTES = 1024 * MIB;

/** Linux's folder in memory: a run computes a twentieth less where its databases stand there. */
export const SHARED_MEMORY = '/dev/shm';
/** So much has to be free of it, and twice as much of all memory. */
const MEMORY_BYTES = 4096 * MIB;

/**
 * Whatever a run puts into the folder for temporary files stands in one folder that goes with it. What a
 * killed run left there, its processes included, goes at the start of the next one.
 */
export function temporaryFolder(): Plugin {
  return {
    name: 'temporary-folder',
    // Called for each project of the run, and for those with settings of their own from another copy of this module.
    configureVitest({ vitest }) {
      if (basename(process.env['TMPDIR'] ?? '').startsWith(`${PREFIX}${process.pid}-`)) return;
      for (const each of [tmpdir(), SHARED_MEMORY].filter(existsSync)) sweep(each);
      const parent = chooseParent(process.env['TMPDIR']);
      refuseWithoutRoom(parent);
      const folder = makeRunFolder(parent);
      // Workers and their children inherit it.
      Object.assign(process.env, environmentWith(folder));
      const remove = (): void => removeRunFolder(folder);
      vitest.onClose(remove);
      process.once('exit', remove);
      // Workers are groups of their own, which Ctrl+C doesn't reach.
      exitOnSignals();
    },
  };
}

/** @returns the folder that is named, else memory where it has room, else the system's folder */
export function chooseParent(
  named: string | undefined,
  memory = SHARED_MEMORY,
  leastBytes = MEMORY_BYTES,
): string {
  const isThere = process.platform === 'linux' && existsSync(memory);
  if (named !== undefined || !isThere || mayNotExecute(memory)) return tmpdir();
  const hasRoom = freeBytes(memory) >= leastBytes && freemem() >= 2 * leastBytes;
  return hasRoom ? memory : tmpdir();
}

/** Containers often forbid it there, and tests start what they write. */
function mayNotExecute(folder: string): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  return mounts.some((mount) => {
    const [, place, , options] = mount.split(' ');
    return place === folder && options?.split(',').includes('noexec') === true;
  });
}

/** What may still be written to the file system of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Its name tells whose it is, from the first moment on. */
export function makeRunFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // Postgres runs as another user than root, who must be able to reach its data.
  chmodSync(folder, 0o711);
  return folder;
}

/** What makes a process use this folder for its temporary files: node reads one of these three, by system. */
export const environmentWith = (folder: string) => ({ TMPDIR: folder, TEMP: folder, TMP: folder });

/** Ends what still runs for this folder, then removes it. */
export function removeRunFolder(folder: string): void {
  // One that is being killed may just have started another.
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    left.forEach(kill);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It had ended by itself.
  }
}

/** Removes the folders of runs whose process is gone. */
export function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, owner] = /^ovation-run-(\d+)-/.exec(name) ?? [];
    if (owner !== undefined && !isAlive(Number(owner))) removeRunFolder(join(parent, name));
  }
}

/** @throws Error in one sentence where a run would end in the middle for want of room. */
export function refuseWithoutRoom(parent: string, leastBytes = LEAST_BYTES): void {
  const free = freeBytes(parent);
  if (free >= leastBytes) return;
  throw new Error(
    `${parent} has ${Math.floor(free / MIB)} MB left and a run of the tests needs ${leastBytes / MIB} MB: make room, or set TMPDIR to another folder.`,
  );
}

/** Processes that were started with this folder for their temporary files, where the system tells. */
function processesOf(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => environmentOf(name).includes(`TMPDIR=${folder}`))
    .map(Number);
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // It ended in between, or is somebody else's.
    return [];
  }
}
