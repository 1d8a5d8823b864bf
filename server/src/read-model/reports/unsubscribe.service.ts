import { appendAudit } from '#server/audit/audit.repository.ts';
import { stopAlertMail } from '#server/identity/members/alert-choice.repository.ts';
import { keepWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { LINK_INCOMPLETE } from '#shared/contract/fields.ts';
import { openUnsubscribe, type Subscribed } from '#server/mail/unsubscribe-link.ts';
import { deleteUnusedAddresses, listReportAddresses } from './report-address.repository.ts';
import { removeReader } from './report-mail.repository.ts';

/**
 * Stops what a mail's link stops; a second time changes nothing. What it says is what is stopped then.
 * @throws ApiError `not_found`: no link of ours
 */
export async function unsubscribe(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  token: string,
): Promise<Subscribed['kind']> {
  const subscribed = openUnsubscribe(deps.settings.appSecret, token);
  if (!subscribed) {
    throw new ApiError('not_found', LINK_INCOMPLETE);
  }
  const now = new Date(deps.clock.now());
  await deps.database.transaction(async (tx) => {
    if (await keepWorkspace(tx, subscribed.workspaceId)) await stop(tx, subscribed, now);
  });
  return subscribed.kind;
}

async function stop(tx: Tx, subscribed: Subscribed, now: Date): Promise<void> {
  const { workspaceId } = subscribed;
  if (subscribed.kind === 'alert_digest') {
    if (!(await stopAlertMail(tx, subscribed))) return;
    const actor = subscribed.userId;
    return appendAudit(tx, { workspaceId, actor, action: 'alert_mail_stopped', now });
  }
  const action = 'report_mail_stopped';
  if ('userId' in subscribed) {
    const { userId: actor } = subscribed;
    if (!(await removeReader(tx, workspaceId, { userId: actor }))) return;
    return appendAudit(tx, { workspaceId, actor, action, now });
  }
  const known = await listReportAddresses(tx, workspaceId);
  const subject = known.find(({ email }) => email === subscribed.address)?.id;
  if (!(await removeReader(tx, workspaceId, subscribed))) return;
  await deleteUnusedAddresses(tx, workspaceId);
  return appendAudit(tx, { workspaceId, actor: 'visitor', action, subject, now });
}
