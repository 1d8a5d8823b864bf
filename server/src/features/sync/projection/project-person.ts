import type { DeviceChange, Preferences, UserChange } from '#shared/sync/entities.ts';
import type { Deps } from '../../../deps.ts';
import { listSubscriptions, UNENDED_STATES } from '../../billing/subscription.repository.ts';
import { readCreditStanding } from '../../credits/ledger.repository.ts';
import { listSessionsById } from '../../users/session.repository.ts';
import { findPreference } from '../../users/user-preference.repository.ts';
import { findUser } from '../../users/user.repository.ts';
import type { ScopeOwner } from '../scope-owner.ts';

type ProjectionDeps = Pick<Deps, 'database' | 'settings'>;

const UNENDED: ReadonlySet<string> = new Set(UNENDED_STATES);

/** The person a scope is of, under their own id. */
export async function projectUser(
  { database: { db }, settings }: ProjectionDeps,
  { workspaceId, scope }: ScopeOwner,
): Promise<Array<[id: string, row: UserChange]>> {
  const userId = userOf(scope);
  const user = await findUser(db, { workspaceId, userId });
  if (!user) return [];
  const credits = await readCreditStanding(db, workspaceId);
  const subscriptions = await listSubscriptions(db, workspaceId);
  const hasPlan = subscriptions.some(({ state }) => UNENDED.has(state));
  const row: UserChange = {
    id: user.id,
    name: user.name,
    email: user.email,
    phone: user.phone,
    timeZone: user.time_zone,
    package: user.package,
    inSubscription: hasPlan || (credits.hasPaid && credits.balance > 0),
    defaultAccountId: user.default_account_id,
    isDemoData: settings.isSandbox,
    preferences: await preferencesOf(db, { workspaceId, userId }),
  };
  return [[userId, row]];
}

async function preferencesOf(
  db: Deps['database']['db'],
  owner: { workspaceId: string; userId: string },
): Promise<Preferences> {
  const row = await findPreference(db, owner);
  return {
    density: row?.density ?? 'comfortable',
    activeAccountId: row?.active_account_id ?? null,
    pinnedAccountIds: row?.pinned_account_ids ?? [],
    likesDoneMail: row?.likes_done_mail ?? false,
  };
}

export async function projectDevices(
  { database: { db } }: ProjectionDeps,
  { workspaceId, scope }: ScopeOwner,
  ids: readonly string[],
): Promise<Array<[id: string, row: DeviceChange]>> {
  const rows = await listSessionsById(db, { workspaceId, userId: userOf(scope) }, ids);
  return rows.map((row) => [
    row.id,
    {
      id: row.id,
      userAgent: row.user_agent,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
    },
  ]);
}

const userOf = (scope: string): string => scope.slice('u:'.length);
