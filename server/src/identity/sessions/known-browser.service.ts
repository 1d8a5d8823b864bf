import { createHash, createHmac } from 'node:crypto';
import type { Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import type { Deps } from '#server/kit/deps.ts';
import { networkOf } from '#server/kit/http/client-address.ts';
import type { Cookie } from '#server/kit/http/cookie.ts';
import { drawToken, hashToken } from '#server/kit/token.ts';
import {
  type BrowserHashes,
  deleteKnown,
  findKnown,
  upsertKnown,
} from './known-browser.repository.ts';

/** Names a browser to the customers who have logged in with it. It signs nobody in. */
export const BROWSER_COOKIE = 'ovation-browser';
/** The longest that browsers keep a cookie. */
const COOKIE_SECONDS = 400 * 86_400;

/** Where a request comes from. */
export interface RequestOrigin {
  /** Empty when unknown. */
  address: string;
  /** Value of the cookie, whatever it is. */
  browserToken: string | undefined;
}

/**
 * Who shares a budget of tries at one customer: the browser alone where they have logged in with it, the
 * network where they have logged in from there, everybody else together.
 */
export interface Lane {
  kind: 'known_browser' | 'known_network' | 'stranger';
  /** Of the browser or the network alone, by which a lane's own tries are counted. */
  key: string;
}

/** The lane of a request at a customer; a `person` that nobody is takes the same steps. */
export async function findLane(
  deps: Pick<Deps, 'database' | 'settings'>,
  person: InWorkspace,
  client: RequestOrigin,
): Promise<Lane> {
  const hashes = hashesOf(deps, person, client);
  const { isBrowserKnown, isNetworkKnown } = await findKnown(deps.database.db, person, hashes);
  if (isBrowserKnown) {
    return { kind: 'known_browser', key: `browser:${hashes.browserHash.toString('base64url')}` };
  }
  return { kind: isNetworkKnown ? 'known_network' : 'stranger', key: networkOf(client.address) };
}

/** Remembers a browser of somebody who has shown that they are this person; the cookie to set. */
export async function rememberBrowser(
  deps: Pick<Deps, 'clock' | 'random' | 'settings'>,
  tx: Tx,
  person: InWorkspace,
  { address, browserToken }: RequestOrigin,
): Promise<Cookie> {
  const isOurs = browserToken !== undefined && hashToken(browserToken) !== undefined;
  const value = isOurs ? browserToken : drawToken(deps.random).token;
  const hashes = hashesOf(deps, person, { address, browserToken: value });
  await upsertKnown(tx, person, hashes, new Date(deps.clock.now()));
  return { name: BROWSER_COOKIE, value, maxAgeSeconds: COOKIE_SECONDS };
}

/** As `rememberBrowser`, and forgets all others: whoever knew the former password had theirs remembered. */
export async function rememberOnlyBrowser(
  deps: Pick<Deps, 'clock' | 'random' | 'settings'>,
  tx: Tx,
  person: InWorkspace,
  client: RequestOrigin,
): Promise<Cookie> {
  await deleteKnown(tx, person);
  return rememberBrowser(deps, tx, person, client);
}

function hashesOf(
  { settings }: Pick<Deps, 'settings'>,
  { userId }: InWorkspace,
  { address, browserToken = '' }: RequestOrigin,
): BrowserHashes {
  const network = `known-network:${userId}:${networkOf(address)}`;
  return {
    browserHash: createHash('sha256').update(browserToken).digest(),
    networkHash: createHmac('sha256', settings.appSecret).update(network).digest(),
  };
}
