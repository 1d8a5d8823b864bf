import type { NetworkAccount } from '#server/adapters/graph/social-network.ts';
import type { Share } from './allowance-share.ts';
import type { BudgetDeps } from './graph-budget.ts';
import { type AccountReading, READ_POSTS, readNetworkAccount } from './network-reader.ts';
import { findProfile, rememberProfile } from './remembered-profile.repository.ts';

/** What could be learnt of an account, its posts left out. */
export type ProfileReading =
  | { kind: 'read'; account: NetworkAccount; readAt: Date }
  | Exclude<AccountReading, { kind: 'read' }>;

/** What was read of a name in the last minute, on whichever node: it takes nothing of the allowance. */
export async function findRememberedProfile(
  { clock, database }: Pick<BudgetDeps, 'clock' | 'database'>,
  igUsername: string,
): Promise<Extract<ProfileReading, { kind: 'read' | 'unreadable' }> | undefined> {
  const row = await findProfile(database.db, igUsername, new Date(clock.now()));
  if (!row) return undefined;
  const { account, read_at: readAt } = row;
  return account ? { kind: 'read', account, readAt } : { kind: 'unreadable' };
}

/** Reads an account, and remembers what the network said of it for a minute. */
export async function readProfile(
  deps: BudgetDeps,
  { igUsername, share }: { igUsername: string; share: Share },
): Promise<ProfileReading> {
  const reading = await readNetworkAccount(deps, {
    username: igUsername,
    limit: READ_POSTS.profile,
    share,
  });
  switch (reading.kind) {
    case 'read': {
      const { account, readAt } = reading;
      await rememberProfile(deps.database.db, igUsername, account, readAt);
      return { kind: 'read', account, readAt };
    }
    case 'unreadable':
      await rememberProfile(deps.database.db, igUsername, null, new Date(deps.clock.now()));
      break;
    case 'throttled':
    case 'unreachable':
      break;
  }
  return reading;
}
