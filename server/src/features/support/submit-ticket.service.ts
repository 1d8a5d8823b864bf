import type { CallData, CallParsed } from '#shared/contract/call.ts';
import { addTicket as addTicketCall } from '#shared/contract/visitor.ts';
import type { Deps } from '../../deps.ts';
import type { Submits } from '../../http/submit.service.ts';
import { OPERATOR_WORKSPACE_ID, openOperatorWorkspace } from '../mail/outbox.repository.ts';
import { addTicket } from './support.service.ts';

/** A visitor's question as it arrived. */
export interface TicketSubmit {
  form: CallParsed<typeof addTicketCall>;
  /** The client's. */
  address: string;
  idempotencyKey: string | undefined;
}

/**
 * Takes a question once however often it is sent: a repeat and a twin get the first one's ticket. The
 * operator's workspace keeps the answers, because a visitor has none.
 * @throws ApiError `idempotency_conflict`, and those of `addTicket`
 */
export async function submitTicket(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>,
  submits: Submits,
  { form, address, idempotencyKey }: TicketSubmit,
): Promise<{ data: CallData<typeof addTicketCall>; message?: string }> {
  const now = new Date(deps.clock.now());
  await deps.database.transaction((tx) => openOperatorWorkspace(tx, now));
  const submit = {
    workspaceId: OPERATOR_WORKSPACE_ID,
    userId: 'visitor',
    call: addTicketCall.path,
    idempotencyKey,
    form,
  };
  return submits.run(submit, async () => ({
    kind: 'done',
    data: { ticketId: await addTicket(deps, form, address) },
    message: 'Your message is on its way to support.',
  }));
}
