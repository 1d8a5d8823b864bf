import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { SNAPSHOT_PATH } from '#shared/sync/snapshot.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { CURIOUS_NAMES, type DoorCustomer } from './doors-node.ts';

/** One attack as a process of its own; it says when it is at work, and ends when it is killed or its parent has. */
process.once('disconnect', () => process.exit());
const [name = '', portText = '', customerText = '{}', heads = ''] = process.argv.slice(2);
const { cookie, igId, userId, workspaceId } = JSON.parse(customerText) as DoorCustomer;
// What the attacker itself computes is no work of the node.
setPriority(constants.priority.PRIORITY_LOW);
const agent = new Agent({ keepAlive: true, maxSockets: 2000 });
const ADDRESS = '198.51.100.66';
const VERSIONS = 'protocol=1&schema=1';

/** How often the node has answered; told when asked, so that a flood that got no processor is seen. */
let answered = 0;
process.on('message', () => process.send?.(answered));

interface Asked {
  method: string;
  path: string;
  body?: string;
}

/** Sends a request and resolves with its status; `held` leaves the body open, unread. */
function send({ method, path, body }: Asked, held = false): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      'x-forwarded-for': ADDRESS,
      ...(path !== CALLS.login.path && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const options = { host: '127.0.0.1', port: Number(portText), method, path, headers, agent };
    const sent = request(options, (answer) => {
      answered += 1;
      resolve(answer.statusCode ?? 0);
      if (held && answer.statusCode === 200) return;
      answer.on('error', () => undefined).resume();
    });
    sent.on('error', () => resolve(0)).end(body);
  });
}

async function together(count: number, work: (nr: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, nr) => work(nr)));
}

async function forever(work: () => Promise<unknown>): Promise<never> {
  for (;;) await work();
}

const stream = `${STREAM_PATH}?${VERSIONS}`;
const posts = `${CALLS.getPosts.path}?igId=${igId}&limit=500`;
const snapshot = `${SNAPSHOT_PATH}?${VERSIONS}&scope=w:${workspaceId}`;
const guess = (nr: number): Asked => ({
  method: CALLS.login.method,
  path: CALLS.login.path,
  body: `email=nobody.${nr}@example.test&password=wrong-password&keepSignedIn=false`,
});

const lookUp = (igUsername: string): Asked => ({
  method: CALLS.addAccount.method,
  path: CALLS.addAccount.path,
  body: new URLSearchParams({ userId, igUsername }).toString(),
});

const ATTACKS: Record<string, () => Promise<unknown>> = {
  quiet: async () => process.send?.('ready'),
  heads: async () => {
    process.send?.('ready');
    for (let nr = 0; nr < Number(heads); nr += 1) {
      await together(50, () => send({ method: 'HEAD', path: stream }));
    }
  },
  streams: async () => {
    await together(1500, () => send({ method: 'GET', path: stream }, true));
    process.send?.('ready');
  },
  logins: async () => {
    await together(90, (nr) => send(guess(nr)));
    process.send?.('ready');
    // At most 180 a second.
    await forever(async () => {
      await together(90, (nr) => send(guess(nr)));
      await sleep(500);
    });
  },
  posts: async () => {
    process.send?.('ready');
    await together(20, () => forever(() => send({ method: 'GET', path: posts })));
  },
  lookups: async () => {
    process.send?.('ready');
    await forever(async () => {
      await together(CURIOUS_NAMES.length, (nr) => send(lookUp(CURIOUS_NAMES[nr] ?? '')));
      await sleep(500);
    });
  },
  snapshots: async () => {
    process.send?.('ready');
    await together(20, () => forever(() => send({ method: 'GET', path: snapshot })));
  },
};
await ATTACKS[name]?.();
setInterval(() => undefined, 60_000);
