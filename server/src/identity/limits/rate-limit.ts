import { createHmac } from 'node:crypto';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { logAudit } from '#server/audit/audit-notice.repository.ts';
import { OPERATOR_WORKSPACE_ID } from '#server/mail/owed-mail.repository.ts';
import { countUse, findUses, forgetUses, takeBackUse } from './rate-limit.repository.ts';

/** So many `uses` in a window that begins with the first one. */
export interface Limit {
  name: string;
  uses: number;
  perMs: number;
  /** By client address alone: a refusal holds for the whole call (`known-refusals.ts`). */
  isOfAddress?: boolean;
}

/** The limits of the product's calls (reliability.md); what each is counted by stands beside it. */
export const LIMITS = {
  /** By e-mail address and known browser, or network: failed log-ins before they slow down. */
  login: { name: 'login', uses: 5, perMs: 15 * MINUTE_MS },
  /** By client address, over all accounts: failed log-ins before they slow down. */
  loginAddress: { name: 'login-address', uses: 60, perMs: 15 * MINUTE_MS },
  /** By what has had its failures: log-ins once slowed down. */
  slowLogin: { name: 'slow-login', uses: 1, perMs: MINUTE_MS / 2 },
  /**
   * By e-mail address, all together who are in no known browser or network: failed log-ins. The end of
   * one window and the start of the next may lie in the same hour, so each is less than half of what is let through.
   */
  strangerLoginHour: { name: 'stranger-login-hour', uses: 12, perMs: 60 * MINUTE_MS },
  strangerLoginDay: { name: 'stranger-login-day', uses: 50, perMs: 24 * 60 * MINUTE_MS },
  /** By client address. */
  registration: { name: 'registration', uses: 30, perMs: 60 * MINUTE_MS, isOfAddress: true },
  /** By workspace. */
  checkout: { name: 'checkout', uses: 10, perMs: 10 * MINUTE_MS },
  /**
   * By workspace: first plans of many accounts that the bank declined or, before a first payment, that came to nothing
   * once their account was read.
   */
  unbegun: { name: 'unbegun', uses: 10, perMs: 10 * MINUTE_MS },
  /** By client address, over all its customers: what a whole office does in ten minutes. */
  checkoutAddress: { name: 'checkout-address', uses: 30, perMs: 10 * MINUTE_MS },
  /** By workspace and person, and what people share (`person-caps.ts`): new cards that the gateway is given. */
  newCard: { name: 'new-card', uses: 20, perMs: 24 * 60 * MINUTE_MS },
  /** By the same: payments that bought nothing, before nothing is bought any more. */
  returned: { name: 'returned', uses: 3, perMs: 24 * 60 * MINUTE_MS },
  /** The same of changes of many accounts, before no such change is paid any more. */
  returnedOfMany: { name: 'returned-of-many', uses: 3, perMs: 24 * 60 * MINUTE_MS },
  /** By workspace: polls of a payment that waits, of all tabs and the desktop app together. */
  payment: { name: 'payment', uses: 120, perMs: MINUTE_MS },
  /**
   * By account and person, and what people share (`person-caps.ts`): pauses, cancellations and what takes them back, each
   * of which is mailed.
   */
  cancellation: { name: 'cancellation', uses: 20, perMs: 10 * MINUTE_MS },
  /** By the same: prices of a plan change. */
  quote: { name: 'quote', uses: 30, perMs: 10 * MINUTE_MS },
  /** By workspace: orders of extra likes. */
  order: { name: 'order', uses: 120, perMs: MINUTE_MS },
  /** By workspace: accounts looked up on the network. */
  lookUp: { name: 'look-up', uses: 60, perMs: MINUTE_MS },
  /** By workspace: of them those for changes of many accounts, a few of which are beside what people look up. */
  lookUpOfMany: { name: 'look-up-of-many', uses: 50, perMs: MINUTE_MS },
  /** By workspace before its first payment: accounts asked of the network (D6). */
  unpaidLookUp: { name: 'unpaid-look-up', uses: 20, perMs: 24 * 60 * MINUTE_MS },
  /** By workspace and network account: looks for a code in the profile's text. */
  ownershipCheck: { name: 'ownership-check', uses: 10, perMs: 24 * 60 * MINUTE_MS },
  /** By client address: accounts asked of the network, sign-ups included, before a first payment (D6). */
  lookUpAddress: { name: 'look-up-address', uses: 60, perMs: 24 * 60 * MINUTE_MS },
  /** By e-mail address, known or not, and client address or known browser: recovery codes asked for. */
  recoveryCode: { name: 'recovery-code', uses: 3, perMs: 60 * MINUTE_MS },
  /** By e-mail address, and known browser or network if it is one: recovery codes mailed. */
  recoveryMail: { name: 'recovery-mail', uses: 6, perMs: 24 * 60 * MINUTE_MS },
  /** By e-mail address: codes mailed since one was used, before they get longer. */
  recoveryUnused: { name: 'recovery-unused', uses: 5, perMs: 30 * 24 * 60 * MINUTE_MS },
  /** By client address: recovery codes asked for. */
  recoveryAddress: { name: 'recovery-address', uses: 20, perMs: 60 * MINUTE_MS, isOfAddress: true },
  /** By client address: recovery codes tried, whatever became of them. */
  recoveryTry: { name: 'recovery-try', uses: 60, perMs: 15 * MINUTE_MS, isOfAddress: true },
  /** By session, so that a thief's tries are not the customer's: own password asked for while signed in. */
  passwordCheck: { name: 'password-check', uses: 5, perMs: 15 * MINUTE_MS },
  /** By client address. */
  ticket: { name: 'ticket', uses: 5, perMs: 60 * MINUTE_MS, isOfAddress: true },
  /** By user: own name, phone and time zone saved. */
  profile: { name: 'profile', uses: 20, perMs: 10 * MINUTE_MS },
  /** By account and person, and what people share (`person-caps.ts`): delivery settings saved, which is audited. */
  settings: { name: 'settings', uses: 60, perMs: 10 * MINUTE_MS },
  /** By workspace: changes of tags, each of up to 500 accounts. */
  tags: { name: 'tags', uses: 240, perMs: 10 * MINUTE_MS },
  /** By workspace and person: views of the table saved or removed, each of which may reach everyone’s replica. */
  views: { name: 'views', uses: 120, perMs: 10 * MINUTE_MS },
  /** By workspace: pages of what is to be changed, each of up to 200 accounts; the longest list has 25. */
  bulk: { name: 'bulk', uses: 300, perMs: 10 * MINUTE_MS },
  /** By workspace: its audit chain computed anew, however long it is. */
  chainCheck: { name: 'chain-check', uses: 10, perMs: 10 * MINUTE_MS },
  /** By user: log-ins with the right password, each of which is a session and in the audit log. */
  signIn: { name: 'sign-in', uses: 120, perMs: 60 * MINUTE_MS },
  /** By workspace: invitations mailed. */
  invitation: { name: 'invitation', uses: 60, perMs: 60 * MINUTE_MS },
  /** By e-mail address: how often it is invited, or asked whether it wants reports, by whomever. */
  invitedAddress: { name: 'invited-address', uses: 5, perMs: 24 * 60 * MINUTE_MS },
  /** By client address: links of invitations and of reports opened. */
  invitationToken: { name: 'invitation-token', uses: 60, perMs: 15 * MINUTE_MS, isOfAddress: true },
  /** By user: whole documents of everything that is kept. */
  dataExport: { name: 'data-export', uses: 5, perMs: 60 * MINUTE_MS },
  /** By client address: events in the gateway's name that it didn't sign. */
  forgedEvent: { name: 'forged-event', uses: 30, perMs: 10 * MINUTE_MS, isOfAddress: true },
  /** All together: signed events about nothing of ours that are audited; the others are only counted. */
  strangeEvent: { name: 'strange-event', uses: 20, perMs: 60 * MINUTE_MS },
  /** By client address, and all together: reports of the content policy. */
  policyReport: { name: 'policy-report', uses: 30, perMs: 10 * MINUTE_MS, isOfAddress: true },
  policyReports: { name: 'policy-reports', uses: 600, perMs: 10 * MINUTE_MS },
  /** By workspace: invoices and credit notes as PDFs, each of which takes a moment to draw. */
  document: { name: 'document', uses: 120, perMs: 10 * MINUTE_MS },
  /** By workspace: changes of who is mailed reports, and of their name and logo. */
  reportMail: { name: 'report-mail', uses: 60, perMs: 10 * MINUTE_MS },
  /** By workspace: reports looked at, or drawn. */
  report: { name: 'report', uses: 120, perMs: 10 * MINUTE_MS },
  /** By workspace. */
  image: { name: 'image', uses: 600, perMs: MINUTE_MS },
} as const satisfies Record<string, Limit>;

/** One use of a limit; `sentence` refuses in words of its own, given the time to wait. */
export type Use = Limit & { key: string; sentence?: (wait: string) => string };

/** `db`: of a transaction, where a use counts only with what else it writes. */
type LimitDeps = Pick<Deps, 'clock' | 'settings'> & { database: Pick<Deps['database'], 'db'> };

/**
 * Counts one use by `key`. Throws `rate_limited`, with the time to wait, beyond its `uses`; the first
 * refusal of a window is audited.
 */
export async function limit(deps: LimitDeps, use: Use): Promise<void> {
  const { retryAfterMs, beyond } = await countAndWait(deps, use);
  if (retryAfterMs === 0) return;
  if (beyond === 1) await logRefusal(deps, use);
  throw rateLimited(retryAfterMs, use);
}

/** Refuses as `limit` does where there is no use left, and counts none. */
export async function refuseWhileFull(
  deps: LimitDeps,
  use: Pick<Limit, 'name' | 'uses'> & { key: string },
): Promise<void> {
  const waitMs = await waitOfFull(deps, use);
  if (waitMs > 0) throw rateLimited(waitMs);
}

/** Milliseconds until there is a use again, 0 where one is left; counts none. */
export async function waitOfFull(
  deps: LimitDeps,
  use: Pick<Limit, 'name' | 'uses'> & { key: string },
): Promise<number> {
  const window = await findUses(deps.database.db, use.name, keyHash(deps, use.key));
  if (!window || window.used < use.uses) return 0;
  return Math.max(0, window.resetsAt.getTime() - deps.clock.now());
}

/** How many uses there still are; counts none. */
export async function usesLeft(
  deps: LimitDeps,
  use: Pick<Limit, 'name' | 'uses'> & { key: string },
): Promise<number> {
  const window = await findUses(deps.database.db, use.name, keyHash(deps, use.key));
  const isOver = !window || window.resetsAt.getTime() <= deps.clock.now();
  return isOver ? use.uses : Math.max(0, use.uses - window.used);
}

/** The refusal of a use, with the time to wait. */
export function rateLimited(
  retryAfterMs: number,
  { sentence = triedTooOften, isOfAddress = false }: Pick<Use, 'sentence' | 'isOfAddress'> = {},
): ApiError {
  const message = sentence(waitingTime(retryAfterMs));
  return new ApiError('rate_limited', message, { retryAfterMs, isOfAddress });
}

const triedTooOften = (wait: string): string => `Too many tries. Please try again in ${wait}.`;

/** As `limit`, of each in order; those after a refused one aren't counted. */
export async function limitAll(deps: LimitDeps, uses: readonly Use[]): Promise<void> {
  for (const use of uses) await limit(deps, use);
}

/** Counts one use by `key`, and says whether it is one of the allowed. */
export async function isWithinLimit(
  deps: LimitDeps,
  use: Limit & { key: string },
): Promise<boolean> {
  return (await countAndWait(deps, use)).retryAfterMs === 0;
}

/**
 * Counts one use by `key`; how many there are beyond the allowed ones in this window, 0 for one of them. The
 * first one beyond is audited.
 */
export async function usesBeyondLimit(
  deps: LimitDeps,
  use: Limit & { key: string },
): Promise<number> {
  const { beyond } = await countAndWait(deps, use);
  if (beyond === 1) await logRefusal(deps, use);
  return beyond;
}

/** Counts one use; milliseconds until the next window, 0 for a use that is allowed. */
async function countAndWait(
  deps: LimitDeps,
  use: Limit & { key: string },
): Promise<{ retryAfterMs: number; beyond: number }> {
  const now = deps.clock.now();
  const { used, resetsAt } = await countUse(deps.database.db, {
    name: use.name,
    keyHash: keyHash(deps, use.key),
    now: new Date(now),
    resetsAt: new Date(now + use.perMs),
  });
  return {
    retryAfterMs: used <= use.uses ? 0 : resetsAt.getTime() - now,
    beyond: Math.max(0, used - use.uses),
  };
}

/** Who went beyond a limit is known by the same hash that the limit's row has. */
async function logRefusal(deps: LimitDeps, use: Limit & { key: string }): Promise<void> {
  await logAudit(deps.database.db, {
    workspaceId: OPERATOR_WORKSPACE_ID,
    actor: 'visitor',
    action: 'limit_reached',
    subject: `${use.name}:${keyHash(deps, use.key)}`,
    now: new Date(deps.clock.now()),
  });
}

/** Forgets the uses of `key`: what was counted turned out to be fine. */
export async function forgetLimit(
  deps: LimitDeps,
  use: Pick<Limit, 'name'> & { key: string },
): Promise<void> {
  await forgetUses(deps.database.db, use.name, keyHash(deps, use.key));
}

/** Takes one counted use back, and no more: others by the same `key` stay counted. */
export async function takeBackLimit(
  deps: LimitDeps,
  use: Pick<Limit, 'name'> & { key: string },
): Promise<void> {
  await takeBackUse(deps.database.db, use.name, keyHash(deps, use.key));
}

function keyHash({ settings }: Pick<Deps, 'settings'>, key: string): string {
  return createHmac('sha256', settings.appSecret).update(`rate-limit:${key}`).digest('base64url');
}

export function waitingTime(delayMs: number): string {
  const seconds = Math.max(1, Math.ceil(delayMs / 1000));
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
