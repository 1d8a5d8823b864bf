import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { NetworkSubscriptionTable } from './subscription.table.ts';

export type ReservationRow = Selectable<NetworkSubscriptionTable>;

/** Takes a network account for a subscription to come; false when somebody has it. */
export async function reserveNetworkAccount(tx: Tx, reservation: ReservationRow): Promise<boolean> {
  const row = await tx
    .insertInto('network_subscription')
    .values(reservation)
    .onConflict((conflict) => conflict.doNothing())
    .returning('ig_id')
    .executeTakeFirst();
  return row !== undefined;
}

export function findReservation(db: Db, igId: string): Promise<ReservationRow | undefined> {
  return db
    .selectFrom('network_subscription')
    .selectAll()
    .where('ig_id', '=', igId)
    .executeTakeFirst();
}

/** The reservation, held until the end of the transaction. */
export function lockReservation(tx: Tx, igId: string): Promise<ReservationRow | undefined> {
  return tx
    .selectFrom('network_subscription')
    .selectAll()
    .where('ig_id', '=', igId)
    .forUpdate()
    .executeTakeFirst();
}

/** Frees a network account, if it is still this subscription's. */
export async function releaseReservation(
  tx: Tx,
  reservation: { igId: string; subscriptionId: string },
): Promise<void> {
  await tx
    .deleteFrom('network_subscription')
    .where('ig_id', '=', reservation.igId)
    .where('subscription_id', '=', reservation.subscriptionId)
    .execute();
}

/** Gives a locked reservation to another subscription. */
export async function moveReservation(tx: Tx, reservation: ReservationRow): Promise<void> {
  await tx
    .updateTable('network_subscription')
    .set({
      workspace_id: reservation.workspace_id,
      subscription_id: reservation.subscription_id,
    })
    .where('ig_id', '=', reservation.ig_id)
    .execute();
}
