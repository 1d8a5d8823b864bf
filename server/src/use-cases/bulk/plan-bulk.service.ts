import type { AskedChange } from '#shared/contract/bulk.ts';
import { changeTags, TAG_LIMITS } from '#shared/domain/account-tags.ts';
import { BULK_LIMITS, bulkAction, type BulkKind, needsApproval } from '#shared/domain/bulk.ts';
import { changeDelivery } from '#shared/domain/delivery-change.ts';
import { may } from '#shared/domain/may.ts';
import { findPlan, getPlan } from '#shared/domain/plans.ts';
import { isUnended } from '#shared/domain/subscription-state.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { notAllowed } from '#server/identity/members/members.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { viewDeliverySettings } from '#server/delivery/settings/delivery-settings.repository.ts';
import { notConnected } from '#server/network/accounts/account-refusals.ts';
import {
  type AccountRow,
  listAccountsByUsername,
} from '#server/network/accounts/account.repository.ts';
import { preparePause } from '#server/money/cancellation/pause.service.ts';
import { priceChange } from '#server/money/plan-changes/quote.service.ts';
import {
  listSubscriptions,
  type SubscriptionRow,
} from '#server/money/subscriptions/subscription.repository.ts';
import { settingsText } from '../accounts/delivery-settings.service.ts';
import { createAddPlan } from './add-change.ts';
import { seenSettings } from './apply-delivery.ts';
import {
  deleteDrafts,
  findOperation,
  insertOperation,
  lockOperation,
  type NewItem,
  type OperationKey,
  replaceItems,
} from './bulk.repository.ts';
import { createClientPlan } from './client-change.ts';
import { countItems, listTaken } from './planned-items.repository.ts';
import { listProposed } from './proposal.repository.ts';
import { lockProposal, readAllowance } from './proposals.service.ts';
import { seenPlan } from './seen-plan.ts';

interface Wanted {
  igUsername: string;
  change: AskedChange;
}

/**
 * A page of what is to be changed, each account with what it would cost now and whether it can be. Changes nothing.
 * @throws ApiError `not_allowed`, `not_found`: the pages before are gone; `invalid_input`, `rate_limited`
 */
export async function planBulk(
  deps: Deps,
  session: Session,
  page: { operationId: string; from: number; changes: readonly Wanted[] },
): Promise<PlannedPage> {
  const { from, changes } = page;
  const refused = changes
    .map(({ change }) => bulkAction(change.kind))
    .find((action) => !may(session, action));
  if (refused) throw notAllowed(refused);
  if (from + changes.length > BULK_LIMITS.items) {
    const most = BULK_LIMITS.items.toLocaleString('en-US');
    throw new ApiError('invalid_input', `Please change at most ${most} accounts at once.`);
  }
  return planInto(deps, session, { ...page, approves: null }, async () => changes);
}

/**
 * The same of what somebody else has proposed, as it would be now: starting it approves the proposal.
 * @throws ApiError `not_found`: it no longer waits, or is one's own; `not_allowed`, `rate_limited`
 */
export function reviewBulk(
  deps: Deps,
  session: Session,
  { proposalId, ...page }: { operationId: string; from: number; proposalId: string },
): Promise<PlannedPage> {
  const { from } = page;
  return planInto(deps, session, { ...page, approves: proposalId }, async (tx, now) => {
    const proposal = await lockProposal(tx, session, proposalId, now);
    const key = { workspaceId: proposal.workspace_id, operationId: proposal.id };
    return listProposed(tx, key, { from, limit: BULK_LIMITS.page });
  });
}

export interface PlannedPage {
  items: NewItem[];
  planned: number;
  today: number;
  month: number;
  needsApproval: boolean;
}

async function planInto(
  deps: Deps,
  session: Session,
  page: { operationId: string; from: number; approves: string | null },
  read: (tx: Tx, now: Date) => Promise<readonly Wanted[]>,
): Promise<PlannedPage> {
  const { workspaceId, userId } = session;
  const { from, approves } = page;
  await limit(deps, { ...LIMITS.bulk, key: workspaceId });
  const key = { workspaceId, operationId: page.operationId.toLowerCase() };
  return deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    const changes = await read(tx, now);
    if (from === 0) {
      await deleteDrafts(tx, workspaceId, userId);
      if (await findOperation(tx, key)) throw planGone();
      const draft = { state: 'draft', started_by: userId, approves, created_at: now } as const;
      await insertOperation(tx, key, draft);
    }
    // Held: a start waits, or was first.
    const operation = await lockOperation(tx, key);
    const isOwn = operation?.state === 'draft' && operation.started_by === userId;
    const isSame = operation?.approves === approves;
    if (!isOwn || !isSame || (await countItems(tx, key)).all < from) throw planGone();
    const taken = new Set((await listTaken(tx, key, from)).map(partOf));
    const planned = { key, from, changes, taken, now };
    const items = await planPage(deps, tx, planned);
    await replaceItems(tx, key, from, items);
    const sums = await countItems(tx, key);
    const isBeyond = approves === null && (await isTooMuch(tx, session, sums, now));
    return { ...sums, items, needsApproval: isBeyond };
  });
}

/** Whether it costs more than they may decide alone. */
export async function isTooMuch(
  tx: Tx,
  session: Session,
  { today: todayCents, month: monthCents }: { today: number; month: number },
  now: Date,
): Promise<boolean> {
  return needsApproval({ todayCents, monthCents }, await readAllowance(tx, session, now));
}

export function planGone(): ApiError {
  return new ApiError('not_found', 'This plan is gone. Please check the changes again.');
}

/** Of an account its tags, delivery settings, client and plan are changed once each. */
const partOf = ({ igUsername, kind }: { igUsername: string; kind: BulkKind }): string =>
  `${igUsername} ${bulkAction(kind) === 'spend' ? 'plan' : kind}`;

async function planPage(
  deps: Deps,
  tx: Tx,
  {
    key,
    from,
    changes,
    taken,
    now,
  }: {
    key: OperationKey;
    from: number;
    changes: readonly Wanted[];
    taken: Set<string>;
    now: Date;
  },
): Promise<NewItem[]> {
  const { workspaceId } = key;
  const names = changes.map(({ igUsername }) => igUsername);
  const accounts = new Map(
    (await listAccountsByUsername(tx, workspaceId, names)).map((row) => [row.ig_username, row]),
  );
  const ids = [...accounts.values()].map(({ id }) => id);
  const newestFirst = await listSubscriptions(tx, workspaceId, ids);
  const newest = new Map(newestFirst.toReversed().map((row) => [row.account_id, row]));
  const planClient = createClientPlan(tx, { key, from, accountIds: ids, now });
  const planAdd = changes.some(({ change }) => change.kind === 'add')
    ? await createAddPlan(deps, tx, { key, from, names })
    : undefined;
  const items: NewItem[] = [];
  for (const { igUsername, change } of changes) {
    const account = accounts.get(igUsername);
    const row = account && newest.get(account.id);
    const part = partOf({ igUsername, kind: change.kind });
    const planned = taken.has(part)
      ? refused(new ApiError('invalid_input', `@${igUsername} is listed twice.`))
      : await planChange(tx, { igUsername, account, row, change, planClient, planAdd, now }).catch(
          refused,
        );
    taken.add(part);
    items.push({
      change,
      today_cents: 0,
      month_cents: 0,
      code: null,
      reason: null,
      ...planned,
      position: from + items.length,
      account_id: account?.id ?? null,
      ig_username: igUsername,
      seen: seenOf(change, account, row),
      attempt_id: deps.ids.uuid(),
    });
  }
  return items;
}

/** What whoever plans a change sees of what it changes. */
function seenOf(
  { kind }: AskedChange,
  account: AccountRow | undefined,
  row: SubscriptionRow | undefined,
): string | null {
  if (kind === 'client') return account?.client_id ?? null;
  return account && kind === 'delivery' ? seenSettings(account) : seenPlan(row);
}

type Planned = Pick<NewItem, 'outcome'> & Partial<NewItem>;

function refused(error: unknown): Planned {
  if (!(error instanceof ApiError)) throw error;
  return { outcome: 'refused', code: error.code, reason: error.message };
}

const SAME: Planned = { outcome: 'same' };
const PLANNED: Planned = { outcome: 'planned' };

async function planChange(
  tx: Tx,
  asked: Wanted & {
    account: AccountRow | undefined;
    row: SubscriptionRow | undefined;
    planClient: ReturnType<typeof createClientPlan>;
    planAdd: Awaited<ReturnType<typeof createAddPlan>> | undefined;
    now: Date;
  },
): Promise<Planned> {
  const { igUsername, account, change, now } = asked;
  if (change.kind === 'add') return account || !asked.planAdd ? SAME : asked.planAdd(igUsername);
  if (!account) throw notConnected(igUsername);
  if (change.kind === 'tags') return planTags(account, change);
  if (change.kind === 'delivery') return planDelivery(account, change);
  if (change.kind === 'client') return asked.planClient(account, change);
  const row = asked.row && isUnended(asked.row.state) ? asked.row : undefined;
  if (!row) throw new ApiError('not_found', `@${igUsername} has no plan.`);
  switch (change.kind) {
    case 'plan':
      return planPlan(tx, row, change.packageIndex, now);
    case 'keepPlan':
      return row.next_package === null
        ? SAME
        : { ...PLANNED, month_cents: monthOf(row, row.package) };
    case 'pause':
      await preparePause(tx, row, new Date(change.until), now);
      return PLANNED;
    case 'resume':
      if (row.ends_at && !row.pauses_at) return { ...PLANNED, month_cents: centsOf(row) };
      return row.pauses_at || row.displaced_at ? PLANNED : SAME;
    case 'cancel':
      return row.ends_at ? SAME : { ...PLANNED, month_cents: -centsOf(row) };
    default:
      return change satisfies never;
  }
}

async function planPlan(
  tx: Tx,
  row: SubscriptionRow,
  packageNumber: number,
  now: Date,
): Promise<Planned> {
  if ((row.next_package ?? row.package) === packageNumber) return SAME;
  const month_cents = monthOf(row, packageNumber);
  if (row.package === packageNumber) {
    return { ...PLANNED, change: { kind: 'keepPlan' }, month_cents };
  }
  const { totalCents } = await priceChange(tx, row, packageNumber, now);
  return { ...PLANNED, today_cents: totalCents, month_cents };
}

/** What a month costs from its next due date on. */
const centsOf = (row: SubscriptionRow): number =>
  findPlan(row.next_package ?? row.package)?.priceCents ?? 0;

const monthOf = (row: SubscriptionRow, packageNumber: number): number =>
  getPlan(packageNumber).priceCents - centsOf(row);

function planDelivery(
  account: AccountRow,
  { settings }: Extract<AskedChange, { kind: 'delivery' }>,
): Planned {
  const changed = changeDelivery(viewDeliverySettings(account), settings);
  return settingsText(changed) === seenSettings(account) ? SAME : PLANNED;
}

function planTags(account: AccountRow, change: Extract<AskedChange, { kind: 'tags' }>): Planned {
  const tags = changeTags(account.tags, change);
  if (tags.length > Math.max(TAG_LIMITS.ofAccount, account.tags.length)) {
    const message = `@${account.ig_username} would have ${tags.length} tags. An account can have up to ${TAG_LIMITS.ofAccount}.`;
    throw new ApiError('too_many_tags', message);
  }
  return tags.join('\n') === account.tags.join('\n') ? SAME : PLANNED;
}
