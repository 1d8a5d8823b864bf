import { normalizeEmail } from '#shared/domain/people/email.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { auditedEmail } from '#server/audit/audit-notice.repository.ts';
import { OPERATOR_WORKSPACE_ID } from '#server/mail/owed-mail.repository.ts';
import { findUserByEmail } from '#server/identity/users/user.repository.ts';

const SHOWN_LIMIT = 100;

interface AuditLine {
  at: Date;
  actor: string;
  action: string;
  subject: string | null;
}

/**
 * What the audit log knows of an e-mail address, the newest first, at most 100: the whole chain of a
 * customer, where the look leaves a trace; for an address nobody has, what was tried with it.
 */
export async function readAuditTrail(
  { clock, database, settings }: Pick<Deps, 'clock' | 'database' | 'settings'>,
  typed: string,
): Promise<AuditLine[]> {
  const email = normalizeEmail(typed);
  const { db } = database;
  const user = await findUserByEmail(db, email);
  if (user) {
    const now = new Date(clock.now());
    const { workspace_id: workspaceId } = user;
    await database.transaction((tx) =>
      appendAudit(tx, { workspaceId, actor: 'operator', action: 'account_looked_up', now }),
    );
  }
  const lines = db
    .selectFrom('audit_event')
    .select(['at', 'actor', 'action', 'subject'])
    .where('workspace_id', '=', user?.workspace_id ?? OPERATOR_WORKSPACE_ID)
    .orderBy('seq', 'desc')
    .limit(SHOWN_LIMIT);
  return user
    ? lines.execute()
    : lines.where('subject', '=', auditedEmail(settings, email)).execute();
}
