import type { CallData, CallParsed } from '#shared/contract/call.ts';
import { addTicket as addTicketCall } from '#shared/contract/people/visitor.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Attempts } from '#server/kit/attempts/attempt.service.ts';
import { usesByAddress } from '#server/identity/limits/address-limit.ts';
import { limitAll, LIMITS } from '#server/identity/limits/rate-limit.ts';
import {
  findTicketMail,
  insertTicketMail,
  OPERATOR_WORKSPACE_ID,
  openOperatorWorkspace,
} from '#server/mail/owed-mail.repository.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';

/** A visitor's question as it arrived. */
interface TicketSubmit {
  form: CallParsed<typeof addTicketCall>;
  /** The client's. */
  address: string;
  idempotencyKey: string | undefined;
}

/**
 * Takes a question once however often it is sent: a repeat and a duplicate get the first one's ticket. The
 * operator's workspace keeps the answers, because a visitor has none.
 * @throws ApiError `idempotency_conflict`, and those of `addTicket`
 */
export async function submitTicket(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>,
  attempts: Attempts,
  { form, address, idempotencyKey }: TicketSubmit,
): Promise<{ data: CallData<typeof addTicketCall>; message?: string }> {
  const now = new Date(deps.clock.now());
  await deps.database.transaction((tx) => openOperatorWorkspace(tx, now));
  const request = {
    workspaceId: OPERATOR_WORKSPACE_ID,
    userId: 'visitor',
    call: addTicketCall.path,
    idempotencyKey,
    form,
  };
  return attempts.run(request, async () => ({
    kind: 'done',
    data: { ticketId: await addTicket(deps, form, address) },
    message: 'Your message is on its way to support.',
  }));
}

const SAME_WITHIN_MS = HOUR_MS;

/**
 * Owes support a mail with the question, which is kept nowhere else. The same words of the same person
 * within the hour, as after an answer that was lost, are the same ticket.
 * @returns the ticket's id
 * @throws ApiError `rate_limited` by client address
 */
async function addTicket(
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
