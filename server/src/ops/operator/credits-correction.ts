import { isUniqueViolation } from '#server/kit/db/database-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { correct } from '#server/money/credits/ledger.service.ts';
import { findCustomer } from './sign-out.ts';

/** What an operator types: whose credits, by how many, the mark that makes it happen once, and why. */
interface CreditsCorrection {
  customer: string;
  credits: number;
  reference: string;
  /** What the customer reads. */
  description: string;
}

type Corrected =
  | { kind: 'corrected'; balance: number }
  | { kind: 'nobody' }
  /** Fewer credits can be spent than are to be taken: nothing was changed. */
  | { kind: 'too_few' }
  /** This reference has corrected these credits before: nothing was changed again. */
  | { kind: 'done_before' };

/** Puts a customer's credits right, up or down; an entry of their ledger, audited in their chain (D4). */
export async function correctCredits(
  deps: Pick<Deps, 'clock' | 'database' | 'ids'>,
  { customer, credits, reference, description }: CreditsCorrection,
): Promise<Corrected> {
  const workspaceId = await findCustomer(deps, customer);
  if (workspaceId === undefined) return { kind: 'nobody' };
  const now = new Date(deps.clock.now());
  const correction = { workspaceId, reference, credits, description, now };
  try {
    return await deps.database.transaction(async (tx) => {
      const balance = await correct(tx, deps, correction);
      if (balance === undefined) return { kind: 'too_few' };
      const entry = { workspaceId, actor: 'operator', subject: reference, now };
      await appendAudit(tx, { ...entry, action: 'credits_corrected' });
      return { kind: 'corrected', balance };
    });
  } catch (error) {
    if (isUniqueViolation(error, 'ledger_key_is_once')) return { kind: 'done_before' };
    throw error;
  }
}

const CREDITS_LIMIT = 1_000_000;

/** The words after the command's name; undefined where one is missing or makes no sense. */
export function readCorrection(words: readonly string[]): CreditsCorrection | undefined {
  const [customer = '', amount = '', reference = '', ...rest] = words;
  const credits = /^[+-]\d{1,7}$/.test(amount) ? Number(amount) : 0;
  const description = rest.join(' ').trim();
  if (credits === 0 || Math.abs(credits) > CREDITS_LIMIT) return undefined;
  if (customer === '' || reference === '' || description === '') return undefined;
  return { customer, credits, reference, description };
}
