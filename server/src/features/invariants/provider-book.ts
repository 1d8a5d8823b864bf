import type { Deps } from '../../deps.ts';
import type { ProviderBookEntry } from './delivery.ts';

const ASKED_AT_ONCE = 100;

/**
 * The provider's book as its protocol tells it: what was delivered of the orders detected at or after
 * `since`. It doesn't tell what it was asked for nor by how many members, so these are taken as right
 * here; where a test can see the whole book, it compares them too. Undefined: it could not be asked.
 */
export async function readProviderBook(
  { database, provider }: Pick<Deps, 'database' | 'provider'>,
  since: Date,
): Promise<ProviderBookEntry[] | undefined> {
  const orders = await database.db
    .selectFrom('like_order')
    .select(['id', 'ordered', 'bonus', 'views'])
    .where('detected_at', '>=', since)
    .orderBy('id')
    .execute();
  const entries: ProviderBookEntry[] = [];
  for (let from = 0; from < orders.length; from += ASKED_AT_ONCE) {
    const asked = new Map(orders.slice(from, from + ASKED_AT_ONCE).map((row) => [row.id, row]));
    const outcome = await provider.readProgress([...asked.keys()]);
    if (outcome.kind !== 'answered') return undefined;
    for (const { ref, status, delivered, views } of outcome.answer) {
      const order = asked.get(ref);
      if (!order) continue;
      const ordered = order.ordered + order.bonus;
      const told = { ref, status, delivered, views, distinctMembers: delivered };
      entries.push({ ...told, result: 'accepted', ordered, orderedViews: order.views });
    }
  }
  return entries;
}
