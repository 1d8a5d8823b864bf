import { normalizeEmail } from '#shared/domain/people/email.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { INVITATION_HOURS } from '#shared/domain/people/team.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { LIMITS, limit } from '#server/identity/limits/rate-limit.ts';
import { limitTokens } from '#server/identity/members/invitations.service.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { sealSecret } from '#server/kit/sealed-secret.ts';
import { drawToken, hashToken } from '#server/kit/token.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { REPORT_CONFIRMATION_SEAL } from '#server/mail/report-mails.ts';
import { readCreditStatus } from '#server/money/credits/ledger.repository.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';
import {
  confirmAddress,
  deleteUnusedAddresses,
  insertReportAddress,
  listReportAddresses,
  lockAskedAddress,
  type ReportAddressRow,
  setAddressLink,
} from './report-address.repository.ts';

/*
 * An address outside is nobody's customer, and hasn't asked for mails.
 *
 *   added ──a link is mailed──> asked ──whoever reads the address says yes──> confirmed: reports go to it
 *                                ^  │
 *                                └──┘ 48 h are over: asked again when a report's readers are saved
 *
 * It is gone, whatever it was, with the member who added it, and when no report goes to it any more.
 */

/** In a workspace, over all its reports. */
export const ADDRESSES_LIMIT = 50;

type AddressDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'random' | 'settings'>;

interface Chosen {
  /** As they are kept, each once. */
  wanted: readonly string[];
  /** Those of them that are to be asked. */
  asked: ReadonlySet<string>;
}

/**
 * Whom a report may go to, and who has to be asked first.
 * @throws ApiError `invalid_input`: the workspace has never paid; `rate_limited`
 */
export async function checkAddresses(
  deps: AddressDeps,
  workspaceId: WorkspaceId,
  typed: readonly string[],
): Promise<Chosen> {
  const { db } = deps.database;
  const wanted = [...new Set(typed.map(normalizeEmail))];
  const rows = await listReportAddresses(db, workspaceId);
  const isSettled = ({ confirmed_at, expires_at }: ReportAddressRow): boolean =>
    confirmed_at !== null || (expires_at?.getTime() ?? 0) > deps.clock.now();
  const settled = rows.filter(isSettled).map(({ email }) => email);
  const asked = wanted.filter((email) => !settled.includes(email));
  if (asked.length > 0 && !(await readCreditStatus(db, workspaceId)).hasPaid) {
    throw refused(
      'Before your first payment, reports go to members only. Choose a plan for an account you’ve connected first.',
    );
  }
  for (const email of asked) {
    const sentence = (wait: string): string =>
      `${email} was added too often. Please try again in ${wait}.`;
    await limit(deps, { ...LIMITS.invitedAddress, key: email, sentence });
  }
  return { wanted, asked: new Set(asked) };
}

/**
 * Keeps who added which, once the reports say where they go, and asks those that haven't confirmed. Last of all in
 * its transaction.
 * @throws ApiError `invalid_input`: too many
 */
export async function keepAddresses(
  tx: Tx,
  deps: AddressDeps,
  by: { workspaceId: WorkspaceId; actor: string; now: Date },
  { wanted, asked }: Chosen,
): Promise<void> {
  const { workspaceId, actor, now } = by;
  await deleteUnusedAddresses(tx, workspaceId);
  const added: string[] = [];
  for (const email of wanted) {
    const id = deps.ids.uuid();
    const row = { workspace_id: workspaceId, email, id, added_by: actor, added_at: now };
    if (await insertReportAddress(tx, row)) added.push(id);
  }
  const rows = await listReportAddresses(tx, workspaceId);
  if (rows.length > ADDRESSES_LIMIT) {
    throw refused(`A workspace can mail reports to ${ADDRESSES_LIMIT} other addresses at most.`);
  }
  for (const row of rows) if (asked.has(row.email)) await ask(tx, deps, row, now);
  for (const subject of added) {
    await appendAudit(tx, { ...by, action: 'report_address_added', subject });
  }
}

async function ask(tx: Tx, deps: AddressDeps, row: ReportAddressRow, now: Date): Promise<void> {
  const { token, tokenHash } = drawToken(deps.random);
  const expires_at = new Date(now.getTime() + INVITATION_HOURS * HOUR_MS);
  await setAddressLink(tx, row, { token_hash: tokenHash, expires_at });
  const { appSecret } = deps.settings;
  const keys = { appSecret, random: deps.random };
  const sealedToken = sealSecret(keys, REPORT_CONFIRMATION_SEAL, token);
  const payload = { kind: 'report_confirmation', addressId: row.id, sealedToken } as const;
  await insertMail(tx, { workspaceId: row.workspace_id, id: deps.ids.uuid(), payload, now });
}

/**
 * Whoever has the link says yes. Saying it again changes nothing.
 * @throws ApiError `invitation_over`, `rate_limited`
 */
export async function confirmReports(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  token: string,
  address: string,
): Promise<void> {
  await limitTokens(deps, address);
  const now = new Date(deps.clock.now());
  const tokenHash = hashToken(token);
  const isAsked = await deps.database.transaction(async (tx) => {
    const asked = tokenHash && (await lockAskedAddress(tx, tokenHash, now));
    if (!asked || asked.confirmed_at !== null) return asked !== undefined;
    await confirmAddress(tx, asked, now);
    const { workspace_id: workspaceId, id: subject } = asked;
    const action = 'report_address_confirmed';
    await appendAudit(tx, { workspaceId, actor: 'visitor', action, subject, now });
    return true;
  });
  if (isAsked) return;
  throw new ApiError(
    'invitation_over',
    `This link was replaced by a newer one, or its ${INVITATION_HOURS} hours are over, or they no longer want to send you reports. Ask them for a new one.`,
  );
}

const refused = (message: string): ApiError =>
  new ApiError('invalid_input', message, { fields: { addresses: message } });
