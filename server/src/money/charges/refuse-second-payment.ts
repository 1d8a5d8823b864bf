import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import { paymentOpen } from './payment-error.ts';
import { findOpenCharge } from './waiting-charge.repository.ts';

/**
 * Nothing is paid for twice, nor changed while its payment is being decided.
 * @throws ApiError `payment_needs_action` with the payment that waits, `payment_unknown`
 */
export async function refuseSecondPayment(
  db: Db,
  workspaceId: WorkspaceId,
  of?: Parameters<typeof findOpenCharge>[2],
): Promise<void> {
  const open = await findOpenCharge(db, workspaceId, of);
  if (open) throw paymentOpen(open);
}
