import type { User } from '#shared/contract/user.ts';
import { LocalDatabase } from '../local-db/local-database.ts';
import { rememberKeepSignedIn } from '../local-db/local-session.ts';
import { wipeOtherCopies } from '../local-db/wipe-other-copies.ts';
import { openTabChannel } from '../sync/tab-channel.ts';
import { EMPTY_CLIENT_STATE, stateWithUser } from './client-state.ts';
import type { Services } from './services.ts';

/**
 * Takes over a user the server has just signed in: state, hints, and how long the copy may live.
 * What another user left on this device goes, but for changes they never sent.
 */
export async function beginSession(
  { state, hints, platform }: Services,
  user: User,
  keepSignedIn: boolean,
): Promise<void> {
  const isSameUser = state.getState().user?.id === user.id;
  state.setState(stateWithUser(isSameUser ? state.getState() : EMPTY_CLIENT_STATE, user));
  hints.begin(user);
  try {
    await wipeOtherCopies(user.id, endOtherTabs);
  } catch (error) {
    platform.report('What another user left could not be wiped', error);
  }
  const db = new LocalDatabase(user.id);
  try {
    await rememberKeepSignedIn(db, keepSignedIn);
  } catch (error) {
    platform.report('The local copy can not be opened', error);
  } finally {
    db.close();
  }
}

/** Pages of another user may still be open in other tabs: they let go of the copy. */
function endOtherTabs(userId: string): void {
  const channel = openTabChannel(userId);
  channel.post({ kind: 'wiping' });
  channel.close();
}
