import type { Deps } from '../../deps.ts';
import { networkOf } from '../../http/client-address.ts';
import { limit, LIMITS } from '../../http/rate-limit.ts';
import { insertTicketMail } from '../mail/outbox.repository.ts';

/**
 * Owes support a mail with the question, which is kept nowhere else.
 * @returns the ticket's id
 * @throws ApiError `rate_limited` by client address
 */
export async function addTicket(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>,
  question: { name: string; email: string; message: string },
  address: string,
): Promise<string> {
  await limit(deps, { ...LIMITS.ticket, key: networkOf(address) });
  const ticketId = deps.ids.uuid();
  const now = new Date(deps.clock.now());
  const { name, email, message } = question;
  await deps.database.transaction((tx) =>
    insertTicketMail(tx, { ticketId, name, email, message, now }),
  );
  return ticketId;
}
