import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { draw } from './draw.ts';
import type { DrawAnswer, DrawRequest } from './picture-maker.ts';

/** The drawing thread: one picture at a time, in the order asked for. */
const port = parentPort;
const queue: DrawRequest[] = [];

port?.on('message', (request: DrawRequest) => {
  if (queue.push(request) === 1) void work();
});

async function work(): Promise<void> {
  for (let request = queue[0]; request; request = queue[0]) {
    port?.postMessage(await answer(request));
    queue.shift();
  }
}

async function answer({ key, path }: DrawRequest): Promise<DrawAnswer> {
  try {
    const bytes = await draw(key);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.part`, bytes);
    renameSync(`${path}.part`, path);
    return { key };
  } catch (error) {
    return { key, error: String(error) };
  }
}
