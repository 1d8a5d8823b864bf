import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { ChargeCase } from '../billing/charge.repository.ts';
import type { CreditsCheckout } from '../billing/charge.table.ts';
import { recordPayment } from '../billing/record-payment.ts';
import { addPack } from './ledger.service.ts';

/** Adds a paid pack's credits and writes the payment down. Call it once per charge, with it locked. */
export async function deliverPack(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  paid: ChargeCase & { checkout: CreditsCheckout },
  now: Date,
): Promise<void> {
  const { workspaceId, chargeId, checkout } = paid;
  await addPack(tx, deps, { workspaceId, chargeId, credits: checkout.credits, now });
  await recordPayment(tx, paid, { id: deps.ids.uuid(), igUsername: null, now });
}
