import type { Deps } from '../../deps.ts';
import type { ProviderBookEntry } from './delivery.ts';

const ASKED_AT_ONCE = 100;

/**
 * The provider's book as its protocol tells it, for the orders detected at or after `since`: what it was
 * asked for (delivered and remaining), what it delivered, since which number of likes. By how many
 * members, for how many views, and whether it has orders nobody here knows, it doesn't tell; where a test
 * can see the whole book, that is compared too. Undefined: it could not be asked.
 */
export async function readProviderBook(
  { database, provider }: Pick<Deps, 'database' | 'provider'>,
  since: Date,
): Promise<ProviderBookEntry[] | undefined> {
  const orders = await database.db
    .selectFrom('like_order')
    .select('id')
    .where('detected_at', '>=', since)
    .orderBy('id')
    .execute();
  const entries: ProviderBookEntry[] = [];
  for (let from = 0; from < orders.length; from += ASKED_AT_ONCE) {
    const refs = orders.slice(from, from + ASKED_AT_ONCE).map(({ id }) => id);
    const outcome = await provider.readProgress(refs);
    if (outcome.kind !== 'answered') return undefined;
    for (const { delivered, remains, ...told } of outcome.answer) {
      entries.push({ ...told, result: 'accepted', ordered: delivered + remains, delivered });
    }
  }
  return entries;
}
