import type { Bank } from './intents/bank.ts';
import type { CardStore, CardStoreDeps } from './card-store.ts';
import type { CardMethod } from './methods.ts';
import { chargeIdOf, type Charges, openCharges } from './charges.ts';
import { type Disputes, openDisputes } from './disputes.ts';
import type { FormFields } from './form.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import { openPaymentIntents, type PaymentIntents } from './intents/payment-intents.ts';
import { openRefunds } from './refunds.ts';

/** Payment intents, what was charged and given back for them, and disputes. */
export interface Payments extends PaymentIntents, Charges, Disputes {
  createRefund(fields: FormFields): GatewayAnswer;
  readRefund(id: string): GatewayAnswer;
  listRefunds(query: Record<string, string>): GatewayAnswer;
}

export function openPayments(deps: CardStoreDeps, store: CardStore, bank: Bank): Payments {
  const charges = openCharges(deps, store);
  const charge = (intentId: string): object => charges.findCharge(chargeIdOf(intentId)) ?? {};
  const disputes = openDisputes(deps);
  const onPaid = (id: string, { behaviour }: CardMethod): void => {
    if (behaviour === 'disputed') disputes.openDispute({ charge: id });
  };
  return {
    ...charges,
    ...disputes,
    ...openPaymentIntents(deps, { store, bank, onPaid }),
    ...openRefunds(deps, (intentId) => deps.tell('charge.refunded', charge(intentId))),
  };
}
