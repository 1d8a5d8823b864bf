import { createHmac } from 'node:crypto';
import { ApiError } from '../api-error.ts';
import type { Deps } from '../deps.ts';
import { countUse, forgetUses } from './rate-limit.repository.ts';

/** So many uses in a window that begins with the first one. */
export interface Limit {
  name: string;
  most: number;
  perMs: number;
}

const MINUTE_MS = 60_000;

/** The limits of the product's calls (reliability.md); what each is counted by stands beside it. */
export const LIMITS = {
  /** By e-mail address: failed log-ins. */
  login: { name: 'login', most: 5, perMs: 15 * MINUTE_MS },
  /** By client address. */
  registration: { name: 'registration', most: 30, perMs: 60 * MINUTE_MS },
  /** By workspace. */
  checkout: { name: 'checkout', most: 10, perMs: 10 * MINUTE_MS },
  /** By workspace: orders of extra likes. */
  order: { name: 'order', most: 120, perMs: MINUTE_MS },
  /** By workspace: accounts looked up on the network. */
  lookUp: { name: 'look-up', most: 60, perMs: MINUTE_MS },
  /** By e-mail address, known or not: recovery codes asked for. */
  recoveryCode: { name: 'recovery-code', most: 3, perMs: 60 * MINUTE_MS },
  /** By client address: recovery codes asked for. */
  recoveryAddress: { name: 'recovery-address', most: 20, perMs: 60 * MINUTE_MS },
  /** By client address: recovery codes tried, whatever became of them. */
  recoveryTry: { name: 'recovery-try', most: 60, perMs: 15 * MINUTE_MS },
  /** By user: own password asked for while signed in. */
  passwordCheck: { name: 'password-check', most: 5, perMs: 15 * MINUTE_MS },
  /** By client address. */
  ticket: { name: 'ticket', most: 5, perMs: 60 * MINUTE_MS },
  /** By workspace: whole documents of everything that is kept. */
  dataExport: { name: 'data-export', most: 5, perMs: 60 * MINUTE_MS },
  /** By workspace. */
  image: { name: 'image', most: 600, perMs: MINUTE_MS },
} as const satisfies Record<string, Limit>;

type LimitDeps = Pick<Deps, 'clock' | 'database' | 'settings'>;

/** Counts one use by `key`. Throws `rate_limited`, with the time to wait, beyond `most` of them. */
export async function limit(deps: LimitDeps, use: Limit & { key: string }): Promise<void> {
  const now = deps.clock.now();
  const { used, resetsAt } = await countUse(deps.database.db, {
    name: use.name,
    keyHash: keyHash(deps, use.key),
    now: new Date(now),
    resetsAt: new Date(now + use.perMs),
  });
  if (used <= use.most) return;
  const retryAfterMs = resetsAt.getTime() - now;
  throw new ApiError(
    'rate_limited',
    `That was tried too often. Please try again in ${waitingTime(retryAfterMs)}.`,
    { retryAfterMs },
  );
}

/** Forgets the uses of `key`: what was counted turned out to be fine. */
export async function forgetLimit(
  deps: LimitDeps,
  use: Pick<Limit, 'name'> & { key: string },
): Promise<void> {
  await forgetUses(deps.database.db, use.name, keyHash(deps, use.key));
}

function keyHash({ settings }: Pick<Deps, 'settings'>, key: string): string {
  return createHmac('sha256', settings.appSecret).update(`rate-limit:${key}`).digest('base64url');
}

function waitingTime(delayMs: number): string {
  const seconds = Math.max(1, Math.ceil(delayMs / 1000));
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
