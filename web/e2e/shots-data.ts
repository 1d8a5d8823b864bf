import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPorts, type Ports, startEmbedded } from './product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { UNPAID } from './screens.ts';

/** Whom the sandbox knows and the product doesn't yet. */
export const FRESH = 'shots.fresh';

/** What pictures are taken of. */
export interface ShotsData {
  directory: string;
  /** Ms since 1970; what the clock of everything that reads it shows. */
  at: number;
  ports: Ports;
}

const SHOWN = 'aurelie.lumen';
/** The demo's newest post has so many of ours when its life ends, in the middle of a delivery. */
const SOME_LIKES = 50;

/** Lets the demo live for a minute, and keeps what there is then until `remove`. */
export async function makeShotsData(): Promise<ShotsData & { remove: () => Promise<void> }> {
  const ports = await findPorts();
  const product = await startEmbedded(undefined, 'on', { ports });
  try {
    const sandbox = sandboxControl(product.sandboxUrl);
    await sandbox.createAccount({ username: UNPAID });
    await sandbox.createAccount({ username: FRESH, posts: 2 });
    await connect(product.url, await demoLogin(product.directory));
    const likesOfNewest = async (): Promise<number> => {
      const [post] = await sandbox.listPosts(SHOWN);
      return post ? (await sandbox.readPost(post.id)).memberLikes : 0;
    };
    while ((await likesOfNewest()) < SOME_LIKES) await delay(500);
  } catch (error) {
    await product.stop();
    throw error;
  }
  await product.end();
  return { directory: product.directory, at: Date.now(), ports, remove: () => product.stop() };
}

/** The demo's own, which its data directory keeps. */
export async function demoLogin(directory: string): Promise<{ email: string; password: string }> {
  const text = await readFile(join(directory, 'demo-login.json'), 'utf8');
  return JSON.parse(text) as { email: string; password: string };
}

/** Gives the demo an account without a plan too. */
async function connect(url: string, login: { email: string; password: string }): Promise<void> {
  const call = async (path: string, body: BodyInit, more = {}): Promise<Response> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { origin: url, ...more },
      body,
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const session = await call('/user/user/login', new URLSearchParams(login));
  const { data } = (await session.json()) as { data: { id: string } };
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
  const json = { cookie, 'content-type': 'application/json' };
  const account = JSON.stringify({ userId: data.id, igUsername: UNPAID });
  await call('/user/connectedAccount/addRecord', account, json);
  await call('/user/user/logout', '{}', json);
}
