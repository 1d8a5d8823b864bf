import type { LocalDatabase } from '../local-db/local-database.ts';
import { type FirstGlance, type LocalUser, watchLocalUser } from '../local-db/local-user.ts';
import { stateWithUser } from '../platform/client-state.ts';
import type { Services } from '../platform/services.ts';
import { planAheadOfCopy } from './plan-ahead-of-copy.ts';
import { preferredAccount } from './preferred-account.ts';
import { shownUser } from './shown-user.ts';

/** Keeps the customer of the client state as the local copy has them; returns how to stop. */
export function followLocalUser(
  { state, hints, platform }: Services,
  db: LocalDatabase,
): () => void {
  let isFirst = true;
  const hasPlan = planAheadOfCopy(state.getState().user?.inSubscription === true);
  /** Once: a device that is in use isn't moved away by another one. */
  const showPreferred = (local: FirstGlance): void => {
    if (!isFirst) return;
    const activeAccount = preferredAccount(state.getState(), local);
    if (!activeAccount) return;
    isFirst = false;
    state.setState({ activeAccount });
  };
  const show = (local: LocalUser): void => {
    const before = state.getState();
    const copied = shownUser(local, before.user, platform.now());
    const stated = before.user?.inSubscription === true;
    const user = { ...copied, inSubscription: hasPlan(copied.inSubscription, stated) };
    hints.remember(user);
    const next = stateWithUser(before, user);
    const preferred = isFirst ? preferredAccount(next, local) : undefined;
    isFirst = false;
    state.setState(preferred ? { ...next, activeAccount: preferred } : next);
  };
  return watchLocalUser(db, {
    onGlance: showPreferred,
    onUser: show,
    onError: (error) => platform.report('The customer could not be read', error),
  });
}
