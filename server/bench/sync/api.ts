import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { bundled } from '#test/processes/bundled.ts';
import type { Asked, Told } from './api-messages.ts';

export interface Api {
  cookie: string;
  scope: string;
  ask(asked: Asked): Promise<Told>;
  stop(): Promise<void>;
}

/** Starts the product's API as a process of its own, so that its memory is its own. */
export async function startApi(options: {
  databaseUrl: string;
  port: number;
  publicUrl: string;
  rows: number;
  pages: string;
}): Promise<Api> {
  const { databaseUrl, port, publicUrl, rows, pages } = options;
  const child = fork(await bundled('server/bench/sync/api-process.ts'), [
    databaseUrl,
    String(port),
    publicUrl,
    String(rows),
    pages,
  ]);
  const ready = await next(child);
  if (ready.kind !== 'ready') throw new Error('The API told something else first.');
  const { cookie, scope } = ready;
  const ask = async (asked: Asked): Promise<Told> => {
    child.send(asked);
    return next(child);
  };
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  return { cookie, scope, ask, stop };
}

function next(child: ChildProcess): Promise<Told> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('The API process ended.'));
    child.once('exit', ended);
    child.once('message', (told) => {
      child.off('exit', ended);
      resolve(told as Told);
    });
  });
}
