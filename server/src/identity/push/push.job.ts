import { pushText } from '#shared/domain/delivery/push-text.ts';
import type { PushOutcome } from '#server/adapters/push/push-sender.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop, type Round } from '#server/kit/jobs/loop.ts';
import { findDelivered } from '#server/mail/mail-facts.repository.ts';
import {
  claimDuePushes,
  deleteSubscription,
  type DuePush,
  settlePush,
} from './push-subscription.repository.ts';

const IDLE_MS = 2000;
/** At once, so that services that hang hold up the others for one time-out at most. */
const BATCH = 20;
const FIRST_WAIT_MS = 30_000;
/** The last one is an hour after the first; who was away longer sees it in the product. */
const ATTEMPTS_LIMIT = 8;

type PushDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'pushSender'>;

/** Tells browsers that likes are done, through their push services. */
export function createPushJob(deps: PushDeps): Job {
  return createLoop(deps, {
    name: 'push',
    idleMs: IDLE_MS,
    round: (signal) => sendDuePushes(deps, signal),
  });
}

/** One round: everybody whose turn it is, at most twenty browsers. */
export async function sendDuePushes(deps: PushDeps, signal?: AbortSignal): Promise<Round> {
  const now = new Date(deps.clock.now());
  const due = await claimDuePushes(deps.database.db, { now, waitMs: FIRST_WAIT_MS, limit: BATCH });
  await Promise.all(due.map((push) => sendPush(deps, push, signal)));
  return due.length === BATCH ? 'again' : 'idle';
}

async function sendPush(deps: PushDeps, push: DuePush, signal?: AbortSignal): Promise<void> {
  const { clock, database, log, pushSender } = deps;
  const { workspaceId, orderIds } = push;
  const done = await findDelivered(database.db, { workspaceId, orderIds });
  const outcome: PushOutcome = done
    ? await pushSender.send(push, JSON.stringify(pushText(done)), signal)
    : { kind: 'sent' };
  if (outcome.kind === 'gone') return deleteSubscription(database.db, push);
  if (outcome.kind !== 'sent') {
    // The address itself is a secret of the customer's.
    log.warn('push service did not take a message', { workspaceId, reason: outcome.reason });
  }
  if (outcome.kind === 'unavailable' && push.attempts < ATTEMPTS_LIMIT) return;
  await settlePush(database.db, push, new Date(clock.now()));
}
