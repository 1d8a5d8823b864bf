import type { User } from '#shared/contract/user.ts';
import type { ApiError } from '../../api-error.ts';
import type { Deps } from '../../deps.ts';
import { paymentBeingChecked, type SubmitOutcome } from '../../http/submit.service.ts';
import type { Session } from '../users/session.service.ts';
import { viewUser } from '../users/user-view.service.ts';
import type { BankDecline } from './charge.table.ts';
import { isBankDecline, paymentUnavailable } from './payment-error.ts';
import type { Settlement } from './settle-charge.service.ts';

/** What one form says of its own. */
export interface SettlementSentences {
  paid?: string;
  /** The bank said no. */
  declined: (code: BankDecline) => ApiError;
  /** The payment arrived when what it was for could no longer be had; it goes back. */
  returned: () => ApiError;
}

/**
 * A settled charge as the answer of its submit.
 * @throws ApiError `payment_unavailable`: the gateway can't be used, nothing was charged
 */
export async function answerSettlement(
  deps: Deps,
  session: Session,
  settlement: Settlement,
  sentences: SettlementSentences,
): Promise<SubmitOutcome<User>> {
  switch (settlement.kind) {
    case 'paid':
      return {
        kind: 'done',
        data: await viewUser(deps, session),
        ...(sentences.paid === undefined ? {} : { message: sentences.paid }),
      };
    case 'returned':
      return { kind: 'refused', error: sentences.returned() };
    case 'open':
      return { kind: 'unsettled', error: paymentBeingChecked() };
    case 'declined':
      break;
  }
  if (!isBankDecline(settlement.code)) throw paymentUnavailable();
  return { kind: 'refused', error: sentences.declined(settlement.code) };
}
