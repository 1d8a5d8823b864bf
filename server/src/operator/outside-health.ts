import { sql } from 'kysely';
import type { Deps } from '../deps.ts';

/** One part of the world the product depends on. */
export interface Health {
  part: 'database' | 'provider' | 'gateway';
  isWell: boolean;
  /** In a few words, e.g. how much the provider can deliver. */
  words: string;
}

/** Asks database, delivery provider and card gateway; none of the questions changes anything. */
export async function checkHealth({
  clock,
  database,
  gateway,
  provider,
}: Pick<Deps, 'clock' | 'database' | 'gateway' | 'provider'>): Promise<Health[]> {
  const startedAtMs = clock.now();
  await sql`select 1`.execute(database.db);
  const answered = `answers in ${clock.now() - startedAtMs} ms (${database.engine})`;
  const capacity = await provider.readCapacity();
  const book = await gateway.listCharges({ since: new Date(clock.now()) });
  return [
    { part: 'database', isWell: true, words: answered },
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
    case 'rejected':
      return `refuses our requests with ${outcome.status}`;
    default:
      return outcome satisfies never;
  }
}
