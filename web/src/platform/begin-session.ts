import type { User } from '#shared/contract/user.ts';
import { LocalDatabase } from '../local-db/local-database.ts';
import { rememberKeepSignedIn } from '../local-db/local-session.ts';
import { wipeOtherCopies } from '../local-db/wipe-local-copy.ts';
import { EMPTY_CLIENT_STATE, stateWithUser } from './client-state.ts';
import type { Services } from './services.ts';

/**
 * Takes over a user the server has just signed in: state, hints, and how long the copy may live.
 * What another user left on this device goes.
 */
export async function beginSession(
  { state, hints, platform }: Services,
  user: User,
  keepSignedIn: boolean,
): Promise<void> {
  const isSameUser = state.getState().user?.id === user.id;
  state.setState(stateWithUser(isSameUser ? state.getState() : EMPTY_CLIENT_STATE, user));
  hints.remember(user);
  const db = new LocalDatabase(user.id);
  try {
    await wipeOtherCopies(user.id);
    await rememberKeepSignedIn(db, keepSignedIn);
  } catch (error) {
    platform.report('The local copy can not be opened', error);
  } finally {
    db.close();
  }
}
