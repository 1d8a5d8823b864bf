import type { Deps } from '../deps.ts';
import { lookUpAccount } from './account-lookup.ts';
import { checkHealth } from './outside-health.ts';
import { approveRequest, listMoneyBackRequests } from './refund-review.ts';
import { listStuckOrders, replayOrder } from './stuck-orders.ts';

type OperatorDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'ids' | 'provider'>;

/** What a command prints, and whether it did what it was asked. */
export interface CommandResult {
  isDone: boolean;
  lines: string[];
}

export const USAGE = [
  'npm run operator -- account <e-mail or username>   what is known of a customer',
  'npm run operator -- orders                         orders that are late',
  'npm run operator -- replay <order id>              makes a late order due now',
  'npm run operator -- refunds                        money-back requests to review',
  'npm run operator -- approve <subscription id>      approves one now',
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
      return done(list(orders, 'No order is late.'));
    }
    case 'replay': {
      if (argument === undefined || !UUID.test(argument)) return usage();
      const isReplayed = await replayOrder(deps, argument);
      return {
        isDone: isReplayed,
        lines: [isReplayed ? 'The order is due now.' : 'No such order, or it is final.'],
      };
    }
    case 'refunds': {
      const requests = await listMoneyBackRequests(deps);
      return done(list(requests, 'No request is open.'));
    }
    case 'approve': {
      if (argument === undefined || !UUID.test(argument)) return usage();
      const isApproved = await approveRequest(deps, argument);
      return {
        isDone: isApproved,
        lines: [isApproved ? 'Approved: the money goes back.' : 'No such request is open.'],
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

function list(rows: readonly object[], none: string): string[] {
  return rows.length === 0 ? [none] : rows.map((row) => JSON.stringify(row));
}

function done(lines: string[]): CommandResult {
  return { isDone: true, lines };
}

function usage(): CommandResult {
  return { isDone: false, lines: USAGE };
}
