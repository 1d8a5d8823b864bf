import type { User } from '#shared/contract/people/user.ts';
import { keepLogIn } from '#web/replica/store/answered.ts';
import { createDexieStore, LocalDatabase } from '#web/replica/store/local-database.ts';
import { rememberKeepSignedIn } from '#web/replica/store/session.ts';
import { wipeOtherReplicas } from '#web/replica/engine/teardown.ts';
import { openTabChannel } from '#web/replica/engine/tabs.ts';
import type { Services } from '#web/platform/services.ts';
import { beginCustomer } from '../live-customer.ts';

/**
 * Begins with a user the server has just signed in: what is shown first, markers, and how long the replica may live.
 * What another user left on this device goes, but for changes they never sent.
 */
export async function beginSession(
  { state, markers, platform }: Services,
  user: User,
  keepSignedIn: boolean,
): Promise<void> {
  beginCustomer(state, user);
  markers.begin(user);
  await wipeOthers(platform, user.id);
  const db = new LocalDatabase(user.id);
  try {
    await rememberKeepSignedIn(db, keepSignedIn);
    await createDexieStore(db).write((tx) => keepLogIn(tx, user));
  } catch (error) {
    platform.report('The replica cannot be opened', error);
  } finally {
    db.close();
  }
}

/** What everybody but this user has left on this device goes, but for changes they never sent. */
export async function wipeOthers(platform: Services['platform'], userId: string): Promise<void> {
  try {
    await wipeOtherReplicas(userId, endOtherTabs);
  } catch (error) {
    platform.report('What another user left could not be wiped', error);
  }
}

/** Pages of another user may still be open in other tabs: they let go of the replica. */
function endOtherTabs(userId: string): void {
  const channel = openTabChannel(userId);
  channel.post({ kind: 'wiping' });
  channel.close();
}
