import type { Deps } from '../deps.ts';
import { lookUpAccount } from './account-lookup.ts';
import { checkHealth } from './outside-health.ts';
import { listStuckOrders, replayOrder } from './stuck-orders.ts';

type OperatorDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'provider'>;

/** What a command prints, and whether it did what it was asked. */
export interface CommandResult {
  isDone: boolean;
  lines: string[];
}

export const USAGE = [
  'npm run operator -- account <e-mail or username>   what is known of a customer',
  'npm run operator -- orders                         orders that are late',
  'npm run operator -- replay <order id>              makes a late order due now',
  'npm run operator -- health                         database, provider and gateway',
];

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Runs one command of the operator's. */
export async function runCommand(
  deps: OperatorDeps,
  [name, argument]: readonly string[],
): Promise<CommandResult> {
  switch (name) {
    case 'account': {
      if (argument === undefined) return usage();
      const sheets = await lookUpAccount(deps, argument);
      if (sheets.length === 0) return { isDone: false, lines: ['Nobody by that name.'] };
      return done(sheets.map((sheet) => JSON.stringify(sheet, undefined, 2)));
    }
    case 'orders': {
      const orders = await listStuckOrders(deps);
      return done(
        orders.length === 0 ? ['No order is late.'] : orders.map((order) => JSON.stringify(order)),
      );
    }
    case 'replay': {
      if (argument === undefined || !UUID.test(argument)) return usage();
      const isReplayed = await replayOrder(deps, argument);
      return {
        isDone: isReplayed,
        lines: [isReplayed ? 'The order is due now.' : 'No such order, or it is final.'],
      };
    }
    case 'health': {
      const parts = await checkHealth(deps);
      return {
        isDone: parts.every(({ isWell }) => isWell),
        lines: parts.map(
          ({ part, isWell, words }) => `${part.padEnd(9)} ${isWell ? 'ok' : 'FAILS'}   ${words}`,
        ),
      };
    }
    case undefined:
    default:
      return usage();
  }
}

function done(lines: string[]): CommandResult {
  return { isDone: true, lines };
}

function usage(): CommandResult {
  return { isDone: false, lines: USAGE };
}
