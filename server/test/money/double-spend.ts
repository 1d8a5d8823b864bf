import type { Deps } from '#server/kit/deps.ts';
import { giveCredits, orderLikes } from './credits-fixture.ts';
import { plantCustomer, plantPost } from '../delivery/order-fixture.ts';

interface DoubleSpendRound {
  accepted: number;
  balance: number;
  /** Likes ordered by all accepted orders. */
  ordered: number;
}

export const PARALLEL_ORDERS = 50;
export const LIKES_EACH = 20;

/**
 * One round: a customer with credits for `affordable` orders sends 50 of them at once.
 * @returns what came of it, read from the database
 */
export async function spendAtOnce(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>,
  round: number,
  affordable: number,
): Promise<DoubleSpendRound> {
  const account = { igId: String(17_800_000_000 + round), igUsername: `spender${round}` };
  const customer = await plantCustomer(deps, account);
  await plantPost(deps, customer, { id: '101' });
  const { workspaceId } = customer;
  await giveCredits(deps, workspaceId, affordable * LIKES_EACH);
  const answers = await Promise.all(
    Array.from({ length: PARALLEL_ORDERS }, () =>
      orderLikes(deps, customer, { postId: '101', likes: LIKES_EACH }),
    ),
  );
  const unexpected = answers.find(
    (answer) => 'code' in answer && answer.code !== 'credits_too_low',
  );
  if (unexpected) throw new Error(`An order was answered ${JSON.stringify(unexpected)}`);
  const { balance } = await deps.database.db
    .selectFrom('credit_balance')
    .select('balance')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const { ordered } = await deps.database.db
    .selectFrom('like_order')
    .select(({ fn }) => fn.sum<string>('ordered').as('ordered'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const accepted = answers.filter((answer) => 'orderId' in answer).length;
  return { accepted, balance, ordered: Number(ordered) };
}
