import { normalizeEmail } from '#shared/domain/email.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { LIMITS, limit } from '#server/identity/limits/rate-limit.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { readCreditStatus } from '#server/money/credits/ledger.repository.ts';
import {
  deleteUnusedAddresses,
  insertReportAddress,
  listReportAddresses,
} from './report-address.repository.ts';

/** In a workspace, over all its reports. */
export const ADDRESSES_LIMIT = 50;

/**
 * The addresses as they are kept, each once, where those that are new may be added: they are nobody's customers, and
 * haven't asked for mails.
 * @throws ApiError `invalid_input`: the workspace has never paid; `rate_limited`
 */
export async function checkAddresses(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  workspaceId: WorkspaceId,
  typed: readonly string[],
): Promise<string[]> {
  const { db } = deps.database;
  const wanted = [...new Set(typed.map(normalizeEmail))];
  const known = (await listReportAddresses(db, workspaceId)).map(({ email }) => email);
  const fresh = wanted.filter((email) => !known.includes(email));
  if (fresh.length > 0 && !(await readCreditStatus(db, workspaceId)).hasPaid) {
    throw refused(
      'Before your first payment, reports go to members only. Choose a plan for an account you’ve connected first.',
    );
  }
  for (const email of fresh) {
    const sentence = (wait: string): string =>
      `${email} was added too often. Please try again in ${wait}.`;
    await limit(deps, { ...LIMITS.invitedAddress, key: email, sentence });
  }
  return wanted;
}

/**
 * Keeps who added which, once the reports say where they go. Last of all in its transaction.
 * @throws ApiError `invalid_input`: too many
 */
export async function keepAddresses(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  by: { workspaceId: WorkspaceId; actor: string; now: Date },
  wanted: readonly string[],
): Promise<void> {
  const { workspaceId, actor, now } = by;
  await deleteUnusedAddresses(tx, workspaceId);
  const added: string[] = [];
  for (const email of wanted) {
    const row = {
      workspace_id: workspaceId,
      email,
      id: ids.uuid(),
      added_by: actor,
      added_at: now,
    };
    if (await insertReportAddress(tx, row)) added.push(row.id);
  }
  if ((await listReportAddresses(tx, workspaceId)).length > ADDRESSES_LIMIT) {
    throw refused(`A workspace can mail reports to ${ADDRESSES_LIMIT} other addresses at most.`);
  }
  for (const subject of added) {
    await appendAudit(tx, { ...by, action: 'report_address_added', subject });
  }
}

const refused = (message: string): ApiError =>
  new ApiError('invalid_input', message, { fields: { addresses: message } });
