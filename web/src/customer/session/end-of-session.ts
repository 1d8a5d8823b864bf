import { logout } from '#shared/contract/people/user.ts';
import type { Customer } from '../customer.ts';
import { toastErrorAhead } from '#web/ui/toasts/toast.ts';
import { listPendingChanges } from '#web/replica/outbox/outbox.ts';
import { mayOutliveSession, rememberSessionEnded } from '#web/replica/store/session.ts';
import { browserPictures } from '#web/replica/pictures/browser-pictures.ts';
import { wipeReplica, wipeButUnsent } from '#web/replica/engine/teardown.ts';
import { forgetDensity } from '#web/platform/density.ts';
import { forgetPayingFrom } from '#web/platform/paying-from.ts';
import { forgetPickedPlan } from '#web/platform/picked-plan.ts';
import type { Services } from '#web/platform/services.ts';

/**
 * How a customer's pages end. After a log-out the replica goes; when the session merely ended it
 * stays for the next log-in, unless the customer chose not to be kept signed in (D2). Even
 * then it stays while it holds changes that were never sent. `ended_elsewhere`: the session was taken
 * from this device, where nothing but such changes may stay. `released`: another tab wipes the replica.
 */
export type EndOfSession = 'logged_out' | 'session_ended' | 'ended_elsewhere' | 'released';

const KEPT =
  'Some of your changes haven’t reached the server. They’re kept on this device. Log in again to send or discard them.';

/** Carries out the sign-out teardown once no page reads the replica any more. */
export async function tearDown(
  services: Services,
  end: EndOfSession,
  { sync, db, userId }: Pick<Customer, 'sync' | 'db' | 'userId'>,
): Promise<void> {
  if (end === 'ended_elsewhere') return surrender(services, { sync, db, userId });
  if (end === 'session_ended') {
    await rememberSessionEnded(db);
    if (await mayOutliveSession(db)) return;
  }
  const keepsChanges = end === 'session_ended' && (await listPendingChanges(db)).length > 0;
  if (keepsChanges) toastErrorAhead(KEPT);
  // Before the state is emptied: another tab would else write its own again.
  if (end !== 'released') await sync.release();
  forgetCustomer(services);
  db.close();
  if (end === 'released' || keepsChanges) return;
  await wipeReplica(userId);
  await forgetOutside(services.platform);
}

/** What this device remembers of the customer beside the replica. */
export function forgetCustomer({ state, platform }: Services): void {
  state.forget();
  forgetDensity(platform);
  forgetPickedPlan(platform);
  forgetPayingFrom(platform);
}

/** What goes on without a page: notifications, and the pictures that the desktop app keeps. */
export async function forgetOutside(platform: Services['platform']): Promise<void> {
  await platform.push?.unsubscribe();
  await platform.forgetPictures();
}

const NOTHING_LEFT = 'Nothing is kept on this device.';
const UNSENT_LEFT =
  'Only changes that were never sent are kept on this device, for your next login.';

/** Whoever holds the device may not be the customer: it keeps what only they can send, and shows nothing. */
async function surrender(
  services: Services,
  { sync, db, userId }: Pick<Customer, 'sync' | 'db' | 'userId'>,
): Promise<void> {
  const { markers, platform } = services;
  const because = markers.ended() ?? '';
  if (markers.keepsNothing()) return giveUp(services, { sync, db, userId }, because);
  await sync.release();
  forgetCustomer(services);
  db.close();
  const isAnyUnsent = await wipeButUnsent(userId);
  // Another tab may have been first.
  const isTold = [NOTHING_LEFT, UNSENT_LEFT].some((sentence) => because.endsWith(sentence));
  if (!isTold) markers.sayEnded(`${because} ${isAnyUnsent ? UNSENT_LEFT : NOTHING_LEFT}`.trim());
  await browserPictures.clear();
  await forgetOutside(platform);
}

/** Of a workspace somebody isn't in any more nothing stays; what wasn't sent is refused, and only counted. */
async function giveUp(
  services: Services,
  { sync, db, userId }: Pick<Customer, 'sync' | 'db' | 'userId'>,
  because: string,
): Promise<void> {
  const { markers, platform } = services;
  const unsent = await listPendingChanges(db).catch(() => []);
  await sync.release();
  forgetCustomer(services);
  db.close();
  await wipeReplica(userId);
  // Another tab may have been first.
  if (!because.endsWith(NOTHING_LEFT)) {
    const refused = unsent.length === 0 ? '' : `${changesRefused(unsent.length)} `;
    markers.sayEnded(`${because} ${refused}${NOTHING_LEFT}`);
  }
  await browserPictures.clear();
  await forgetOutside(platform);
}

const changesRefused = (count: number): string =>
  count === 1
    ? 'One change that was never sent was refused.'
    : `${count} changes that were never sent were refused.`;

/** Meanwhile nothing is shown: the replica is gone, and the session may still be there. */
const ANSWER_MS = 30_000;

/**
 * Ends the session on the server; false without an answer. It follows the wipe, so that a log-out that
 * breaks off in between leaves a session without a replica, never a replica without a session.
 */
export async function endOnServer(
  { api }: Pick<Services, 'api'>,
  answerMs = ANSWER_MS,
): Promise<boolean> {
  const signal = AbortSignal.timeout(answerMs);
  const answer = await api.call(logout, {}, { signal }).catch(() => undefined);
  if (answer?.kind !== 'success') return false;
  // Until then another page could still have had a picture fetched.
  await browserPictures.clear();
  return true;
}
