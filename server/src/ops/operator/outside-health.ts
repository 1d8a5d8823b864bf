import { sql } from 'kysely';
import type { Deps } from '#server/kit/deps.ts';
import { readGraphTokens } from '#server/network/allowance/graph-tokens.ts';
import { tokenWords } from './token-words.ts';

/** One part of the world the product depends on. */
export interface Health {
  part: 'database' | 'network' | 'provider' | 'gateway';
  isWell: boolean;
  /** In a few words, e.g. how much the provider can deliver. */
  words: string;
}

/**
 * Asks database, delivery provider and card gateway; none of the questions changes anything. The network is
 * not asked, which would cost allowance: how its tokens stand is known.
 */
export async function checkHealth(
  deps: Pick<Deps, 'clock' | 'database' | 'gateway' | 'network' | 'provider'>,
): Promise<Health[]> {
  const { clock, database, gateway, provider } = deps;
  const startedAtMs = clock.now();
  await sql`select 1`.execute(database.db);
  const answered = `answers in ${clock.now() - startedAtMs} ms (${database.engine})`;
  const tokens = await readGraphTokens(deps);
  const capacity = await provider.readCapacity();
  const book = await gateway.listCharges({ since: new Date(clock.now()) });
  return [
    { part: 'database', isWell: true, words: answered },
    {
      part: 'network',
      isWell: tokens.every(({ state }) => state !== 'refused'),
      words: tokens.map(tokenWords).join('; '),
    },
    { part: 'provider', isWell: capacity.kind === 'answered', words: providerWords(capacity) },
    {
      part: 'gateway',
      isWell: book.kind === 'listed',
      words: book.kind === 'listed' ? 'answers' : book.reason,
    },
  ];
}

type CapacityOutcome = Awaited<ReturnType<Deps['provider']['readCapacity']>>;

function providerWords(outcome: CapacityOutcome): string {
  switch (outcome.kind) {
    case 'answered': {
      const { members, perHour, backlogMinutes } = outcome.answer;
      return `${members} members, ${perHour} likes an hour, backlog ${backlogMinutes} minutes`;
    }
    case 'unavailable':
      return outcome.reason;
    case 'unreadable':
      return 'answers what can’t be read';
    case 'rejected':
      return `refuses our requests with ${outcome.status}`;
    default:
      return outcome satisfies never;
  }
}
