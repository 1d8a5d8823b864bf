import { sql } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { selectPeople } from '#server/kit/db/people.ts';
import { listLiveSessions } from '#server/identity/sessions/session.repository.ts';

/** What an operator sees of a customer. Never a hash, a token or card data beyond the mask. */
interface CustomerSheet {
  workspaceId: WorkspaceId;
  users: Array<{ id: string; name: string; email: string; since: Date }>;
  accounts: Array<{ username: string; networkId: string | null; problem: string | null }>;
  subscriptions: Array<{ id: string; package: number; state: string; nextBillingAt: Date }>;
  charges: Array<{
    id: string;
    state: string;
    amountCents: number;
    at: Date;
    /** Gone back, or on its way. */
    returnedCents: number;
  }>;
  openOrders: number;
  /** Where they are signed in. */
  sessions: Array<{ userAgent: string; since: Date; lastSeenAt: Date }>;
}

const CHARGES_SHOWN = 20;

/** Customers with this e-mail address or connected username; each look leaves a trace in their audit log. */
export async function lookUpAccount(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  emailOrUsername: string,
): Promise<CustomerSheet[]> {
  const key = emailOrUsername.trim().replace(/^@/, '').toLowerCase();
  const byEmail = await database.db
    .selectFrom('email_directory')
    .select('workspace_id')
    .where('email', '=', key)
    .execute();
  const byUsername = await database.db
    .selectFrom('account')
    .select('workspace_id')
    .where('ig_username', '=', key)
    .execute();
  const ids = new Set([...byEmail, ...byUsername].map((row) => row.workspace_id));
  const sheets: CustomerSheet[] = [];
  for (const workspaceId of ids) {
    await database.transaction((tx) =>
      appendAudit(tx, {
        workspaceId,
        actor: 'operator',
        action: 'account_looked_up',
        now: new Date(clock.now()),
      }),
    );
    sheets.push(await readSheet(database.db, workspaceId, new Date(clock.now())));
  }
  return sheets;
}

async function readSheet(
  db: Deps['database']['db'],
  workspaceId: WorkspaceId,
  now: Date,
): Promise<CustomerSheet> {
  const people = await selectPeople(db)
    .select(['app_user.id', 'app_user.name', 'app_user.email', 'app_user.created_at as since'])
    .select('app_user.workspace_id as homeId')
    .where('membership.workspace_id', '=', workspaceId)
    .execute();
  const accounts = await db
    .selectFrom('account')
    .select(['ig_username as username', 'ig_id as networkId', 'problem'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const subscriptions = await db
    .selectFrom('subscription')
    .select(['id', 'package', 'state', 'next_billing_at as nextBillingAt'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const charges = await db
    .selectFrom('charge')
    .select(['id', 'state', 'amount_cents as amountCents', 'created_at as at'])
    .select(
      sql<number>`(select coalesce(sum(r.amount_cents), 0) from refund r
      where r.workspace_id = charge.workspace_id and r.charge_id = charge.id)::int`.as(
        'returnedCents',
      ),
    )
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .limit(CHARGES_SHOWN)
    .execute();
  const open = await db
    .selectFrom('like_order')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('next_attempt_at', 'is not', null)
    .executeTakeFirst();
  const sessions = [];
  for (const { id: userId, homeId } of people) {
    for (const row of await listLiveSessions(db, { workspaceId: homeId, userId }, now)) {
      const { user_agent: userAgent, created_at: since, last_seen_at: lastSeenAt } = row;
      sessions.push({ userAgent, since, lastSeenAt });
    }
  }
  const openOrders = open?.count ?? 0;
  const users = people.map(({ homeId: _homeId, ...user }) => user);
  return { workspaceId, users, accounts, subscriptions, charges, openOrders, sessions };
}
