import type {
  ActivityCheck,
  ActivityEntry,
  findActivity as call,
} from '#shared/contract/people/activity.ts';
import type { BulkOperation } from '#shared/contract/accounts/bulk.ts';
import type { CallData, CallParsed } from '#shared/contract/call.ts';
import { ACTIVITY_PAGE } from '#shared/domain/accounts/activity.ts';
import { may } from '#shared/domain/people/may.ts';
import { reasonInWords } from '#shared/domain/accounts/bulk.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { AuditAction } from '#server/audit/audit.repository.ts';
import { checkChain } from '#server/audit/check-chain.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { findMember } from '#server/identity/members/membership.repository.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { seenClients } from '#server/network/accounts/account-rights.ts';
import { viewBulk } from '#server/use-cases/bulk/bulk.service.ts';
import { A_CLIENT, ACTIVITY, actionsOf, type Told } from './activity-words.ts';
import {
  type DoneRow,
  type EntryRow,
  listDone,
  listEntries,
  listProposed,
  type ProposedRow,
} from './activity.repository.ts';
import { bulkWords, proposalWords, stoppedWords } from './bulk-activity-words.ts';

type ActivityDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>;

/**
 * What was done in the workspace (docs/decisions/0048-activity.md): all of it for whoever may see its money, else what
 * was done to the accounts somebody sees, without amounts.
 */
export async function findActivity(
  deps: ActivityDeps,
  session: Session,
  asked: CallParsed<typeof call>,
): Promise<CallData<typeof call>> {
  const { db } = deps.database;
  const { workspaceId } = session;
  const seesAll = may(session, 'readMoney');
  const clients = seenClients(session) ?? null;
  const actor = await actorOf(deps, session, asked.memberId);
  const rows = await listEntries(db, {
    workspaceId,
    actions: actionsOf(asked.kind, seesAll),
    before: asked.before ?? null,
    actor,
    igUsername: asked.igUsername ?? null,
    clientId: asked.clientId?.toLowerCase() ?? null,
    clients,
    onlyAccounts: !seesAll,
    from: asked.from === undefined ? null : new Date(asked.from),
    until: asked.until === undefined ? null : new Date(asked.until),
    limit: ACTIVITY_PAGE + 1,
  });
  const shown = rows.slice(0, ACTIVITY_PAGE);
  const operations = shown.flatMap(({ action, subject }) =>
    (action === 'bulk_started' || action === 'bulk_stopped') && subject !== null ? [subject] : [],
  );
  const isAny = operations.length > 0;
  const done = isAny ? await listDone(db, { workspaceId, operations, clients, seesAll }) : [];
  const proposals = shown.flatMap(({ action, subject }) =>
    OF_PROPOSALS.has(action) && subject !== null ? [subject] : [],
  );
  // Whoever works for single clients isn't told of the others' accounts.
  const isTold = clients === null && proposals.length > 0;
  const proposed = isTold ? await listProposed(db, workspaceId, proposals) : [];
  // Only the newest can still be undone, and by whom it may.
  const newest = isAny && may(session, 'connect') ? await viewBulk(deps, session) : [];
  return {
    entries: shown.map((row) => viewEntry(row, { session, seesAll, done, proposed, newest })),
    next: rows.length > ACTIVITY_PAGE ? (shown.at(-1)?.seq ?? null) : null,
  };
}

const OF_PROPOSALS: ReadonlySet<AuditAction> = new Set([
  'bulk_proposed',
  'bulk_approved',
  'bulk_refused',
  'bulk_withdrawn',
  'bulk_expired',
]);

const NOBODY = 'nobody';

/** By whom it was done that is looked for; others than oneself only where one sees who works here. */
async function actorOf(
  { database: { db } }: ActivityDeps,
  { workspaceId, userId, allClients }: Session,
  memberId: string | undefined,
): Promise<string | null> {
  if (memberId === undefined) return null;
  const member = await findMember(db, workspaceId, memberId.toLowerCase());
  return member && (allClients || member.user_id === userId) ? member.user_id : NOBODY;
}

interface Reading {
  session: Session;
  seesAll: boolean;
  done: readonly DoneRow[];
  proposed: readonly ProposedRow[];
  newest: readonly BulkOperation[];
}

function viewEntry(row: EntryRow, reading: Reading): ActivityEntry {
  const { kind, words, byItself } = ACTIVITY[row.action];
  const told = tell(row, reading);
  const isItself = row.actor === 'system' && byItself !== undefined;
  const said = isItself ? byItself(told) : `${told.who} ${words(told)}`;
  const operationId = row.action === 'bulk_started' ? row.subject : null;
  const operation = reading.newest.find((each) => each.operationId === operationId);
  return {
    entry: row.seq,
    at: row.at.toISOString(),
    who: told.who,
    // A name may end with a full stop of its own.
    text: `${said}${moreOf(row.subject)}`.replace(/\.?$/, '.'),
    kind,
    igUsername: row.igUsername,
    operationId,
    undoUntil: operation?.undoUntil ?? null,
  };
}

/** What is said where it wasn't about one account. */
const NO_ACCOUNT: { readonly [Action in AuditAction]?: string } = {
  budget_changed: '',
  accounts_tagged: 'several accounts',
};

function tell(row: EntryRow, { session, seesAll, done, proposed }: Reading): Told {
  const itsRows = done.filter(({ operationId }) => operationId === row.subject);
  const proposal = proposed.find(({ operationId }) => operationId === row.subject);
  const none = row.accountId === null ? NO_ACCOUNT[row.action] : undefined;
  return {
    who: whoOf(row, session),
    account: row.igUsername === null ? (none ?? 'an account') : `@${row.igUsername}`,
    person: row.personName ?? 'someone who has left',
    client: clientOf(row, session),
    address: row.address ?? 'an address that no longer gets them',
    amount: seesAll && row.amountCents !== null ? `, ${formatCents(row.amountCents)}` : '',
    // Others than owners don’t see who is invited.
    invited: (may(session, 'team') ? row.invitedEmail : null) ?? 'someone',
    worksFor: worksForOf(row),
    role: row.detail?.role ? `: now ${row.detail.role}` : '',
    limit: seesAll ? limitInWords(row.detail?.cents) : '',
    bulk: row.action === 'bulk_stopped' ? stoppedWords(itsRows) : bulkWords(itsRows, seesAll),
    proposal: proposalWords(proposal),
    asked: seesAll && proposal?.todayCents ? `, ${formatCents(proposal.todayCents)}` : '',
    // It may name amounts.
    reason: seesAll ? reasonInWords(proposal?.refusal) : '',
  };
}

const SHOWN_CLIENTS = 3;

function worksForOf({ detail, detailClients }: EntryRow): string {
  if (detail?.clients === undefined) return '';
  if (detail.clients === null) return ': now all';
  const names = detailClients.slice(0, SHOWN_CLIENTS);
  const more = detail.clients.length - names.length;
  if (names.length === 0) return more === 0 ? ': now none' : `: now ${clientsGone(more)}`;
  return `: now ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const clientsGone = (count: number): string =>
  count === 1 ? 'a client that is gone' : `${count} clients that are gone`;

const limitInWords = (cents: number | null | undefined): string => {
  if (cents === undefined) return '';
  return cents === null ? ': now none' : `: now ${formatCents(cents)}`;
};

function clientOf({ clientName, subject }: EntryRow, { workspaceId }: Session): string {
  if (subject === workspaceId) return 'all accounts';
  return clientName === null ? A_CLIENT : `the client ${clientName}`;
}

/** Actors that are no people. */
const PARTS: Readonly<Record<string, string>> = {
  system: 'Ovation',
  operator: 'Our support',
  gateway: 'The card gateway',
  visitor: 'Someone',
};

function whoOf({ actor, actorName }: EntryRow, session: Session): string {
  const part = PARTS[actor];
  if (part !== undefined) return part;
  // Who works for whom is nothing that a client's own people learn.
  if (!session.allClients && actor !== session.userId) return 'A colleague';
  return actorName ?? 'Someone who has left';
}

/** A line that stands for many of the same. */
function moreOf(subject: string | null): string {
  const more = /^and (\d+) more$/.exec(subject ?? '')?.[1];
  return more === undefined ? '' : `, ${Number(more).toLocaleString('en-US')} more times`;
}

/** Computes the whole chain of the workspace anew. @throws ApiError `rate_limited` */
export async function checkActivity(
  deps: ActivityDeps,
  { workspaceId }: Session,
): Promise<ActivityCheck> {
  await limit(deps, { ...LIMITS.chainCheck, key: workspaceId });
  const { entries, from, to, hash, problem } = await checkChain(deps.database.db, workspaceId);
  return {
    entries,
    from: from?.toISOString() ?? null,
    until: to?.toISOString() ?? null,
    fingerprint: hash.toString('hex').slice(0, 16),
    problem: problem ?? null,
  };
}
