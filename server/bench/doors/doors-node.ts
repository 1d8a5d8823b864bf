import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { bundled } from '#test/processes/bundled.ts';

/** A customer of the measured node. */
export interface DoorCustomer {
  cookie: string;
  igId: string;
  userId: string;
  workspaceId: string;
}

/** Accounts on the network that nobody has connected. */
export const CURIOUS_NAMES = Array.from({ length: 30 }, (_, nr) => `curious${nr}`);

export type Asked = { kind: 'counts' } | { kind: 'change'; likes: number } | { kind: 'post' };
export type Told =
  | { kind: 'ready'; victim: DoorCustomer; attacker: DoorCustomer; ownerEmail: string }
  | { kind: 'counts'; followers: number; feeds: number }
  | { kind: 'changed' }
  | { kind: 'detected'; afterMs: number };

export interface DoorsNode {
  victim: DoorCustomer;
  attacker: DoorCustomer;
  ownerEmail: string;
  /** Streams the node still holds. */
  followers(): Promise<number>;
  /** Changes one of the attacker's posts, which the attacker's streams are told. */
  change(likes: number): Promise<void>;
  /** Posts for a paying customer; how long it takes until the post is detected, ms. */
  detect(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the node as a process of its own: what measures it must not slow it down. */
export async function startDoorsNode({
  dataDir,
  port,
  databaseUrl = '',
}: {
  dataDir: string;
  port: number;
  /** Without it the node has an embedded database. */
  databaseUrl?: string | undefined;
}): Promise<DoorsNode> {
  const words = [dataDir, String(port), databaseUrl];
  const child = fork(await bundled('server/bench/doors/doors-process.ts'), words);
  const ready = await heard(child);
  if (ready.kind !== 'ready') throw new Error('The node told something else first.');
  // One question at a time, so that each gets its own answer.
  let last: Promise<unknown> = Promise.resolve();
  const ask = (asked: Asked): Promise<Told> => {
    const answer = last.then(() => {
      child.send(asked);
      return heard(child);
    });
    last = answer;
    return answer;
  };
  return {
    ...ready,
    followers: async () => {
      const told = await ask({ kind: 'counts' });
      return told.kind === 'counts' ? told.followers : Number.NaN;
    },
    change: async (likes) => {
      await ask({ kind: 'change', likes });
    },
    detect: async () => {
      const told = await ask({ kind: 'post' });
      return told.kind === 'detected' ? told.afterMs : Number.NaN;
    },
    stop: () => stop(child),
  };
}

export async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

function heard(child: ChildProcess): Promise<Told> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('The node ended.'));
    child.once('exit', ended);
    child.once('message', (told) => {
      child.off('exit', ended);
      resolve(told as Told);
    });
  });
}
