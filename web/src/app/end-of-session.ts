import { logout } from '#shared/contract/user.ts';
import type { Customer } from '../components/customer.ts';
import { toastErrorAhead } from '../components/toast.ts';
import { listWaiting } from '../local-db/local-outbox.ts';
import { mayOutliveSession, rememberSessionEnded } from '../local-db/local-session.ts';
import { wipeImages, wipeLocalCopy } from '../local-db/wipe-local-copy.ts';
import { wipeButUnsent } from '../local-db/wipe-other-copies.ts';
import { forgetDensity } from '../platform/density.ts';
import { forgetPickedPlan } from '../platform/picked-plan.ts';
import type { Services } from '../platform/services.ts';

/**
 * How a customer's pages end. After a log-out the local copy goes; when the session merely ended it
 * stays for the next log-in, unless the customer chose not to be kept signed in (D2). Even
 * then it stays while it holds changes that were never sent. `ended_elsewhere`: the session was taken
 * from this device, where nothing but such changes may stay. `released`: another tab wipes the copy.
 */
export type EndOfSession = 'logged_out' | 'session_ended' | 'ended_elsewhere' | 'released';

const KEPT =
  'Some of your changes haven’t reached the server. They’re kept on this device. Log in again to send or discard them.';

/** Tidies up once no page reads the local copy any more. */
export async function tidyUp(
  services: Services,
  end: EndOfSession,
  { sync, db, userId }: Pick<Customer, 'sync' | 'db' | 'userId'>,
): Promise<void> {
  if (end === 'ended_elsewhere') return surrender(services, { sync, db, userId });
  if (end === 'session_ended') {
    await rememberSessionEnded(db);
    if (await mayOutliveSession(db)) return;
  }
  const keepsChanges = end === 'session_ended' && (await listWaiting(db)).length > 0;
  if (keepsChanges) toastErrorAhead(KEPT);
  // Before the state is emptied: another tab would else write its own again.
  if (end !== 'released') await sync.release();
  forgetCustomer(services);
  db.close();
  if (end === 'released' || keepsChanges) return;
  await wipeLocalCopy(userId);
  await services.platform.push?.unsubscribe();
  await services.platform.forgetPictures();
}

/** What this device remembers of the customer beside the local copy. */
function forgetCustomer({ state, platform }: Services): void {
  state.forget();
  forgetDensity(platform);
  forgetPickedPlan(platform);
}

const NOTHING_LEFT = 'Nothing is kept on this device.';
const UNSENT_LEFT =
  'Only changes that were never sent are kept on this device, for your next login.';

/** Whoever holds the device may not be the customer: it keeps what only they can send, and shows nothing. */
async function surrender(
  services: Services,
  { sync, db, userId }: Pick<Customer, 'sync' | 'db' | 'userId'>,
): Promise<void> {
  const { hints, platform } = services;
  const because = hints.ended() ?? '';
  await sync.release();
  forgetCustomer(services);
  db.close();
  const isAnyUnsent = await wipeButUnsent(userId);
  // Another tab may have been first.
  const isTold = [NOTHING_LEFT, UNSENT_LEFT].some((sentence) => because.endsWith(sentence));
  if (!isTold) hints.sayEnded(`${because} ${isAnyUnsent ? UNSENT_LEFT : NOTHING_LEFT}`.trim());
  await wipeImages();
  await platform.push?.unsubscribe();
  await platform.forgetPictures();
}

/** Meanwhile nothing is shown: the copy is gone, and the session may still be there. */
const ANSWER_MS = 30_000;

/**
 * Ends the session on the server; false without an answer. It follows the wipe, so that a log-out that
 * breaks off in between leaves a session without a copy, never a copy without a session.
 */
export async function endOnServer(
  { api }: Pick<Services, 'api'>,
  answerMs = ANSWER_MS,
): Promise<boolean> {
  const signal = AbortSignal.timeout(answerMs);
  const answer = await api.call(logout, {}, { signal }).catch(() => undefined);
  if (answer?.kind !== 'success') return false;
  // Until then another page could still have had a picture fetched.
  await wipeImages();
  return true;
}
