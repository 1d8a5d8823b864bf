import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';

/**
 * Makes an open charge due that the gateway has news of, where nobody is asking for it the first time. One
 * whose answer was lost is known by our own id only. @returns whether there is one
 */
export async function hastenCharge(
  db: Db,
  told: { gatewayChargeId: string; chargeId: string | undefined; now: Date },
): Promise<boolean> {
  const { gatewayChargeId, chargeId = null, now } = told;
  const { rows } = await sql`
    update charge set next_check_at = least(next_check_at, ${now})
    where next_check_at is not null and state not in ('created', 'sent')
      and (gateway_charge_id = ${gatewayChargeId}
        or gateway_charge_id is null and id = ${chargeId}::uuid)
    returning id`.execute(db);
  return rows.length > 0;
}

/**
 * Whether a charge of ours has this id, which the gateway was told with it. A refused one is known by nothing else.
 * @param since the gateway tells of none that is older
 */
export async function isOwnCharge(db: Db, chargeId: string, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('charge')
    .select('id')
    .where('id', '=', chargeId)
    .where('created_at', '>=', since)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the gateway's id is that of a charge of ours. */
export async function isGatewayCharge(db: Db, gatewayChargeId: string): Promise<boolean> {
  const row = await db
    .selectFrom('charge')
    .select('id')
    .where('gateway_charge_id', '=', gatewayChargeId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Makes a card's set-up due that the gateway has news of. @returns whether it is one of ours, settled or not,
 * and its id was heard of
 */
export async function hastenSetUp(
  db: Db,
  { gatewaySetUpId, now }: { gatewaySetUpId: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update card_setup
    set next_check_at = case when next_check_at is not null then least(next_check_at, ${now}) end
    where gateway_setup_id = ${gatewaySetUpId} returning id`.execute(db);
  return rows.length > 0;
}

/** What is kept of a card is to be read at the gateway. @returns whether it is one of ours */
export async function makeCardDue(db: Db, paymentMethodId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update card set refresh_at = ${now} where payment_method_id = ${paymentMethodId}
    returning id`.execute(db);
  return rows.length > 0;
}
