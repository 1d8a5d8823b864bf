import { DAY_MS } from '#shared/domain/durations.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { SandboxProcess } from './sandbox-process.ts';

export interface NetworkName {
  igId: string;
  username: string;
}

const ROWS_PER_INSERT = 1000;

/** Makes accounts on the sandbox, each with as many posts as one poll shows. */
export async function makeAccounts(sandbox: SandboxProcess, count: number): Promise<NetworkName[]> {
  const body = { count, prefix: 'bench', posts: 12 };
  return (await sandbox.control('POST', 'accounts', body)) as NetworkName[];
}

/** Schedules all of them, each with an active subscription, for one workspace. */
export async function schedulePolls(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  names: readonly NetworkName[],
): Promise<void> {
  const { db } = deps.database;
  const now = new Date(deps.clock.now());
  const workspaceId = deps.ids.uuid();
  const cardId = deps.ids.uuid();
  await db.insertInto('workspace').values({ id: workspaceId, created_at: now }).execute();
  await db
    .insertInto('card')
    .values({
      workspace_id: workspaceId,
      id: cardId,
      payment_method_id: 'pm_bench',
      brand: 'visa',
      last_digits: '242',
      holder_name: 'Bench',
      exp_month: 12,
      exp_year: 2034,
      created_at: now,
    })
    .execute();
  for (let from = 0; from < names.length; from += ROWS_PER_INSERT) {
    const part = names.slice(from, from + ROWS_PER_INSERT);
    const accounts = part.map((name) => ({ ...name, accountId: deps.ids.uuid() }));
    await deps.database.transaction(async (tx) => {
      await tx
        .insertInto('account')
        .values(accounts.map((account) => accountRow(workspaceId, account, now)))
        .execute();
      await tx
        .insertInto('poll_schedule')
        .values(accounts.map((account) => scheduleRow(workspaceId, account, now)))
        .execute();
      await tx
        .insertInto('subscription')
        .values(
          accounts.map((account) => ({
            ...subscriptionRow(workspaceId, account, now),
            id: deps.ids.uuid(),
            card_id: cardId,
          })),
        )
        .execute();
    });
  }
}

type Account = NetworkName & { accountId: string };

const accountRow = (workspaceId: string, account: Account, now: Date) => ({
  workspace_id: workspaceId,
  id: account.accountId,
  ig_username: account.username,
  ig_id: account.igId,
  automatic_likes: true,
  speed: 'Instant' as const,
  created_at: now,
});

const scheduleRow = (workspaceId: string, account: Account, now: Date) => ({
  workspace_id: workspaceId,
  account_id: account.accountId,
  ig_username: account.username,
  is_active: true,
  next_poll_at: now,
});

const subscriptionRow = (workspaceId: string, account: Account, now: Date) => ({
  workspace_id: workspaceId,
  account_id: account.accountId,
  ig_id: account.igId,
  package: 1,
  state: 'Active' as const,
  anchor_at: now,
  shift_days: 0,
  time_zone: 'UTC',
  period: 0,
  period_started_at: now,
  next_billing_at: new Date(now.getTime() + 30 * DAY_MS),
  baseline_read_at: now,
  baseline_post_ids: [],
  created_at: now,
});
