import { NO_ALERT_CHOICES } from '#shared/domain/accounts/alert.ts';
import type { Membership, User } from '#shared/contract/people/user.ts';
import { canSpendCredits } from '#shared/domain/money/credit-packages.ts';
import { may } from '#shared/domain/people/may.ts';
import type { DeviceChange, UserChange } from '#shared/sync/entities.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import type { Deps } from '#server/kit/deps.ts';
import {
  countMembers,
  findMember,
  findMembership,
  listWorkspaces,
  type MembershipRow,
} from '#server/identity/members/membership.repository.ts';
import { listViews } from '#server/identity/members/account-views.service.ts';
import { listGrants } from '#server/identity/members/client-grant.repository.ts';
import { personOf as memberPerson } from '#server/identity/members/members.service.ts';
import { viewDevice } from '#server/identity/sessions/devices.service.ts';
import { listSessionsById } from '#server/identity/sessions/session.repository.ts';
import { findAlertChoice } from '#server/identity/members/alert-choice.repository.ts';
import { findPreference } from '#server/identity/users/user-preference.repository.ts';
import { findUser } from '#server/identity/users/user.repository.ts';
import { customerGone } from '#server/identity/users/workspace-lock.repository.ts';
import { readCreditStatus } from '#server/money/credits/ledger.repository.ts';
import { seenClients } from '#server/network/accounts/account-rights.ts';
import { hasUnendedSubscription } from '#server/money/subscriptions/subscription.repository.ts';
import { listFirstAccountIds } from '#server/network/accounts/account.repository.ts';
import { type ScopeOwner, scopesOfMember } from '#server/replica/scope-owner.ts';
import { readVersions } from '#server/replica/sync-log.repository.ts';
import { viewAccountsFor } from './accounts.service.ts';
import { findTransactions, readWallet } from './wallet.service.ts';

type UserDeps = Pick<Deps, 'database' | 'settings'>;

/** What calls and replicas both tell of a person. */
type Person = Omit<UserChange, 'defaultAccountId' | 'preferences'>;

function personOf(
  { settings }: Pick<UserDeps, 'settings'>,
  { user, member, membership }: Awaited<ReturnType<typeof readPerson>> & object,
  { hasPlan, hasPaid, credits }: { hasPlan: boolean; hasPaid: boolean; credits: number },
): Person {
  return {
    id: member.id,
    name: user.name,
    email: user.email,
    phone: user.phone,
    timeZone: user.time_zone,
    package: user.package,
    // With a plan that hasn't ended, or credits left after a first payment (D5).
    inSubscription: hasPlan || (hasPaid && credits > 0),
    membership,
    isDemoData: settings.isSandbox,
  };
}

/** Somebody in a workspace, and where else they are; undefined of nobody. */
async function readPerson(db: Db, member: MembershipRow | undefined) {
  if (!member) return undefined;
  const { workspace_id: workspaceId } = member;
  const user = await findUser(db, { workspaceId, userId: member.user_id });
  if (!user) return undefined;
  const [people, workspaces, granted] = await Promise.all([
    countMembers(db, workspaceId),
    listWorkspaces(db, member),
    listGrants(db, workspaceId, member.user_id),
  ]);
  const grants = granted.get(member.user_id) ?? [];
  const membership: Membership = {
    workspaceId,
    role: member.role,
    // Whoever has all clients and nothing besides is told what they always were.
    ...((!member.all_clients || grants.length > 0) && { allClients: member.all_clients, grants }),
    people,
    workspaces,
  };
  // What is chosen at home is chosen for home.
  const isHome = member.home_workspace_id === workspaceId;
  return {
    user,
    member,
    membership,
    grants: Object.fromEntries(grants.map(({ clientId, role }) => [clientId, role])),
    defaultId: isHome ? user.default_account_id : null,
  };
}

/**
 * The customer as S§3 describes them. With `mostAccounts` so many connected accounts at most, the default one
 * among them.
 * @throws ApiError `session_ended`: there is no such user any more
 */
export async function viewUser(
  deps: UserDeps & Pick<Deps, 'clock'>,
  reader: InWorkspace,
  { mostAccounts: limit }: { mostAccounts?: number | undefined } = {},
): Promise<User> {
  const { db } = deps.database;
  const person = await readPerson(db, await findMembership(db, reader));
  if (!person) throw customerGone();
  const { user, defaultId } = person;
  const { workspaceId } = reader;
  const asking = { ...memberPerson(person.member), grants: person.grants, workspaceId };
  const seesMoney = may(asking, 'readMoney');
  const clientIds = seenClients(asking);
  const shown =
    limit === undefined && clientIds === undefined
      ? undefined
      : await listFirstAccountIds(db, workspaceId, { limit, defaultId, clientIds });
  const [hasPlan, wallet, accounts, creditsTransactions] = await Promise.all([
    hasUnendedSubscription(db, workspaceId),
    readWallet(db, workspaceId),
    viewAccountsFor(deps, asking, shown),
    seesMoney ? findTransactions(deps, workspaceId) : [],
  ]);
  const { credits, hasPaid, lockedBonus } = wallet;
  const main = accounts.find(({ accountId }) => accountId === defaultId);
  return {
    ...personOf(deps, person, { hasPlan, hasPaid, credits }),
    createdAt: user.created_at.toISOString(),
    credits: seesMoney ? credits : 0,
    canSpendCredits: seesMoney && canSpendCredits(lockedBonus),
    defaultIgUsername: main?.view.igUsername ?? '',
    defaultIgId: main?.view.igId ?? '',
    profilePic: main?.view.profilePic ?? '',
    connectedAccounts: accounts.map(({ view }) => view),
    billingInfo: seesMoney ? wallet.billingInfo : null,
    creditsTransactions,
    // Read last: what is said above happened at these versions or before.
    versions: await readVersions(db, await scopesOfMember(deps)(reader)),
  };
}

/** The person a scope is of, under their own id. */
export async function projectUser(
  deps: UserDeps,
  scope: ScopeOwner,
): Promise<Array<[id: string, row: UserChange]>> {
  const { db } = deps.database;
  const { workspaceId } = scope;
  const person = await readPerson(db, await findMember(db, workspaceId, memberIdOf(scope)));
  if (!person) return [];
  const { user_id: userId } = person.member;
  const [hasPlan, { balance: credits, hasPaid }, preference, alerts, views] = await Promise.all([
    hasUnendedSubscription(db, workspaceId),
    readCreditStatus(db, workspaceId),
    findPreference(db, { workspaceId, userId }),
    findAlertChoice(db, { workspaceId, userId }),
    listViews(db, person.member),
  ]);
  const row: UserChange = {
    ...personOf(deps, person, { hasPlan, hasPaid, credits }),
    defaultAccountId: person.defaultId,
    preferences: {
      density: preference?.density ?? 'comfortable',
      activeAccountId: preference?.active_account_id ?? null,
      pinnedAccountIds: preference?.pinned_account_ids ?? [],
      likesDoneMail: preference?.likes_done_mail ?? false,
      alerts: alerts
        ? {
            readUntil: alerts.read_until?.toISOString() ?? null,
            mutes: alerts.mutes,
            mailHour: alerts.mail_hour,
          }
        : NO_ALERT_CHOICES,
    },
    views,
  };
  return [[person.member.id, row]];
}

export async function projectDevices(
  { database: { db } }: UserDeps,
  scope: ScopeOwner,
  ids: readonly string[],
): Promise<Array<[id: string, row: DeviceChange]>> {
  const member = await findMember(db, scope.workspaceId, memberIdOf(scope));
  if (!member) return [];
  const home = { workspaceId: member.home_workspace_id, userId: member.user_id };
  const rows = await listSessionsById(db, home, ids);
  return rows.map((row) => [
    row.id,
    { ...viewDevice(row), expiresAt: row.expires_at.toISOString() },
  ]);
}

const memberIdOf = ({ scope }: ScopeOwner): string => scope.slice('u:'.length);
