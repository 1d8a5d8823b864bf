import type { Deps } from '../../deps.ts';
import { usesByAddress } from '../../http/address-limit.ts';
import { limitAll, LIMITS } from '../../http/rate-limit.ts';
import { findTicketMail, insertTicketMail } from '../mail/outbox.repository.ts';

const SAME_WITHIN_MS = 3_600_000;

/**
 * Owes support a mail with the question, which is kept nowhere else. The same words of the same person
 * within the hour, as after an answer that was lost, are the same ticket.
 * @returns the ticket's id
 * @throws ApiError `rate_limited` by client address
 */
export async function addTicket(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>,
  question: { name: string; email: string; message: string },
  address: string,
): Promise<string> {
  await limitAll(deps, usesByAddress(LIMITS.ticket, address));
  const now = new Date(deps.clock.now());
  const { name, email, message } = question;
  const words = { name, email, message };
  return deps.database.transaction(async (tx) => {
    const since = new Date(now.getTime() - SAME_WITHIN_MS);
    const known = await findTicketMail(tx, { ...words, since });
    const ticketId = known ?? deps.ids.uuid();
    if (!known) await insertTicketMail(tx, { ticketId, ...words, now });
    return ticketId;
  });
}
