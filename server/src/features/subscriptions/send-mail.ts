import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { insertMail } from '../mail/outbox.repository.ts';
import type { MailPayload } from '../mail/outbox.table.ts';

/** Owes the customer a mail, as part of the transaction that is its reason. */
export function sendMail(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  workspaceId: string,
  payload: MailPayload,
  now: Date,
): Promise<void> {
  return insertMail(tx, { workspaceId, id: ids.uuid(), payload, now });
}
