import { join } from 'node:path';
import { sql } from 'kysely';
import * as v from 'valibot';
import { addSubscription } from '#shared/contract/money/checkout.ts';
import { findClients, saveClient } from '#shared/contract/accounts/clients.ts';
import { findTeam, grantClients, inviteMember } from '#shared/contract/people/team.ts';
import { signUpInvited } from '#shared/contract/people/workspace.ts';
import type { Deps } from '#server/kit/deps.ts';
import { openSecret } from '#server/kit/sealed-secret.ts';
import { INVITATION_SEAL } from '#server/mail/compose-mail.ts';
import {
  agencyAccount,
  CLIENT_NAMES,
  OWN_ACCOUNT,
  OWNER,
  STAFF,
  type StaffMember,
} from './agency-cast.ts';
import {
  callAs,
  type DemoCalls,
  DemoLogin,
  type DemoSession,
  enterCard,
  keep,
  readKept,
  sendCall,
  sessionOf,
  signIn,
  signOut,
} from './demo-calls.ts';
import { plantLargeWorkspace } from './plant-workspace.ts';

const Kept = v.object({ logins: v.array(DemoLogin), isPrepared: v.boolean() });

/** Whose log-ins are told, in the order in which they are kept. */
const SHOWN = ['Owner', 'Manager', 'Editor', 'Client’s viewer'];
/** Of each account about one in nine days. */
const DAYS_BETWEEN_POSTS = 9;

interface AgencyOptions extends DemoCalls {
  deps: Pick<Deps, 'clock' | 'database' | 'random' | 'settings'>;
  dataDir: string;
  accounts: number;
  posts: number;
  signal: AbortSignal;
}

/**
 * Makes an agency the first time: staff, clients and one paid plan through the calls that their browsers make, then
 * thousands of accounts at once, on the network and in the workspace. Afterwards it changes nothing; a start that died
 * half way is made up for.
 * @returns log-ins by what their people are
 */
export async function prepareAgency(options: AgencyOptions): Promise<Record<string, DemoLogin>> {
  const path = join(options.dataDir, 'agency-logins.json');
  const known = readKept(path, Kept) ?? {
    logins: [OWNER, ...STAFF].map(({ email }) => ({
      email,
      password: options.deps.random.bytes(9).toString('base64url'),
    })),
    isPrepared: false,
  };
  const { logins } = known;
  if (!known.isPrepared) {
    // Written first: a start that dies half way goes on with the same logins.
    keep(path, known);
    const password = passwordOf(logins, OWNER.email);
    const { session } = await signIn(options, { ...OWNER, password }, OWN_ACCOUNT);
    await buyPlan(options, session);
    const clientIds = await makeClients(options, session);
    await plant(options, session, clientIds);
    // Afterwards: what each of them sees is written once, not with every part of it.
    await hireStaff(options, session, { logins, clientIds });
    await signOut(options, session);
    keep(path, { logins, isPrepared: true });
  }
  return Object.fromEntries(logins.slice(0, SHOWN.length).map((login, at) => [SHOWN[at], login]));
}

const passwordOf = (logins: readonly DemoLogin[], email: string): string =>
  logins.find((login) => login.email === email)?.password ?? '';

async function buyPlan(options: AgencyOptions, session: DemoSession): Promise<void> {
  const { id: userId, connectedAccounts } = session.user;
  const { igUsername, plan: packageIndex } = OWN_ACCOUNT;
  if (connectedAccounts.some(({ accountPackageId }) => accountPackageId !== null)) return;
  const purchase = { ...(await enterCard(options)), userId, igUsername, packageIndex };
  await callAs(options, session, addSubscription, purchase, `agency-${userId}`);
}

/** Those that have accounts; their ids in the order of their names. */
async function makeClients(options: AgencyOptions, session: DemoSession): Promise<string[]> {
  const { id: userId } = session.user;
  const names = CLIENT_NAMES.slice(0, options.accounts);
  let clients = await callAs(options, session, findClients, { userId });
  for (const name of names) {
    if (clients.some((client) => client.name === name)) continue;
    clients = await callAs(options, session, saveClient, { userId, name });
  }
  const byName = new Map(clients.map(({ name, id }) => [name, id]));
  return names.flatMap((name) => byName.get(name) ?? []);
}

async function hireStaff(
  options: AgencyOptions,
  session: DemoSession,
  { logins, clientIds }: { logins: readonly DemoLogin[]; clientIds: readonly string[] },
): Promise<void> {
  const { id: userId } = session.user;
  for (const person of STAFF) {
    const { name, email, role, clients } = person;
    const team = await callAs(options, session, findTeam, { userId });
    if (!team.members.some((member) => member.email === email)) {
      await callAs(options, session, inviteMember, { userId, email, role, allClients: !clients });
      const token = await newestToken(options);
      const password = passwordOf(logins, email);
      const answer = await sendCall(options, signUpInvited, { token, name, password });
      await signOut(options, await sessionOf(answer));
    }
    if (clients) await grant(options, session, person, clientIds);
  }
}

async function grant(
  options: AgencyOptions,
  session: DemoSession,
  { email, role, clients }: StaffMember,
  clientIds: readonly string[],
): Promise<void> {
  const { id: userId } = session.user;
  const team = await callAs(options, session, findTeam, { userId });
  const memberId = team.members.find((member) => member.email === email)?.id ?? '';
  const { from = 0, count = 0 } = clients ?? {};
  const grants = clientIds.slice(from, from + count).map((clientId) => ({ clientId, role }));
  await callAs(options, session, grantClients, { userId, memberId, allClients: false, grants });
}

/** What the link of the newest invitation would say. */
async function newestToken({ deps: { database, settings } }: AgencyOptions): Promise<string> {
  const { payload } = await database.db
    .selectFrom('owed_mail')
    .select('payload')
    .where(sql`payload ->> 'kind'`, '=', 'invitation')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const sealed = payload.kind === 'invitation' ? payload.sealedToken : '';
  const token = openSecret(settings.appSecret, INVITATION_SEAL, sealed);
  if (token === undefined) throw new Error('The invitation can’t be read');
  return token;
}

async function plant(
  { deps, sandboxUrl, accounts, posts, signal }: AgencyOptions,
  { user }: DemoSession,
  clientIds: readonly string[],
): Promise<void> {
  const { workspaceId } = user.membership ?? {};
  if (workspaceId === undefined) throw new Error('The owner has no workspace');
  const minutesApart = (DAYS_BETWEEN_POSTS * 24 * 60) / accounts;
  const size = { accounts, posts, minutesApart, postsPerOrder: 0 };
  await plantLargeWorkspace(deps.database, workspaceId, size, deps.clock.now(), {
    url: sandboxUrl,
    stopping: signal,
    accountOf: (nr) => agencyAccount(nr, clientIds),
    publish: (part) => tell(`${sandboxUrl}/control/planted`, part),
    book: (orders) => tell(`${sandboxUrl}/control/provider/planted`, { orders }),
  });
}

async function tell(url: string, what: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(what),
  });
  if (!answer.ok) throw new Error(`The sandbox took nothing: ${await answer.text()}`);
}
