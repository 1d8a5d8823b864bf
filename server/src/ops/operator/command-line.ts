import { formatCents } from '#shared/domain/money/money.ts';
import { isUuid } from '#shared/domain/ids.ts';
import type { Deps } from '#server/kit/deps.ts';
import { returnPack } from '#server/money/credits/return-pack.service.ts';
import { lookUpAccount } from './account-lookup.ts';
import { readAuditTrail } from './audit-trail.ts';
import { correctCredits, readCorrection } from './credits-correction.ts';
import { listReports } from '../policy-reports/policy-report.repository.ts';
import { beginEpoch } from '#server/replica/epoch.repository.ts';
import { checkHealth } from './outside-health.ts';
import { approveRequest, listMoneyBackRequests } from './refund-review.ts';
import {
  listOpenDisputes,
  listRejectedRefunds,
  sendRefundAgain,
  settleRefund,
} from './rejected-refunds.ts';
import { signOutCustomer, signOutEverybody } from './sign-out.ts';
import { listStuckOrders, replayOrder } from './stuck-orders.ts';

type OperatorDeps = Pick<
  Deps,
  'clock' | 'database' | 'gateway' | 'ids' | 'network' | 'provider' | 'settings'
>;

/** What a command prints, and whether it did what it was asked. */
export interface CommandResult {
  isDone: boolean;
  lines: string[];
}

const USAGE = [
  'npm run operator -- account <email or username>    what is known of a customer',
  'npm run operator -- audit <email>                  what they did, or what was tried with that address',
  'npm run operator -- sign-out <email or id>         logs a customer out everywhere',
  'npm run operator -- sign-out everybody             logs everyone out',
  'npm run operator -- orders                         orders that are late',
  'npm run operator -- replay <order id>              makes a late order due now',
  'npm run operator -- refunds                        money-back requests, and refunds the gateway refused',
  'npm run operator -- disputes                       payments that banks ask about or dispute',
  'npm run operator -- approve <subscription id>      approves a request now',
  'npm run operator -- resend <refund id>             sends a refused refund again',
  'npm run operator -- settle <refund id>             records that its money was returned outside the product',
  'npm run operator -- return <charge id>             takes back a credit pack and returns its money',
  'npm run operator -- credits <email> <+10 or -10> <reference> <why>   puts credits right, once for a reference',
  'npm run operator -- resync                         after a restore: every replica is loaded again',
  'npm run operator -- cards check                    keys, scripts, headers and events, while the product runs',
  'npm run operator -- policy-reports                 what browsers kept out of our pages in the last 30 days',
  'npm run operator -- health                         database, network, provider and gateway',
];

/** Runs one command of the operator's. */
export async function runCommand(
  deps: OperatorDeps,
  [name, argument, ...more]: readonly string[],
): Promise<CommandResult> {
  switch (name) {
    case 'account':
    case 'audit':
    case 'sign-out':
      return argument === undefined ? usage() : aboutCustomer(deps, name, argument);
    case 'orders': {
      const orders = await listStuckOrders(deps);
      return done(list(orders, 'No orders are late.'));
    }
    case 'replay': {
      if (argument === undefined || !isUuid(argument)) return usage();
      const isReplayed = await replayOrder(deps, argument);
      return {
        isDone: isReplayed,
        lines: [isReplayed ? 'The order is due now.' : 'No such order, or it has ended.'],
      };
    }
    case 'refunds':
    case 'disputes':
      return listOpen(deps, name);
    case 'approve': {
      if (argument === undefined || !isUuid(argument)) return usage();
      const isApproved = await approveRequest(deps, argument);
      return {
        isDone: isApproved,
        lines: [isApproved ? 'Approved. The money is going back.' : 'No such open request.'],
      };
    }
    case 'resend':
    case 'settle': {
      if (argument === undefined || !isUuid(argument)) return usage();
      return decideRefund(deps, name, argument);
    }
    case 'policy-reports':
      return done(list(await listReports(deps.database.db), 'Nothing was reported.'));
    case 'resync': {
      await beginEpoch(deps.database.db);
      return done(['Every replica will be loaded again when it next connects.']);
    }
    case 'return': {
      if (argument === undefined || !isUuid(argument)) return usage();
      return giveBackPack(deps, argument);
    }
    case 'credits':
      return putCreditsRight(deps, argument === undefined ? [] : [argument, ...more]);
    case 'health':
      return reportHealth(deps);
    case undefined:
    default:
      return usage();
  }
}

async function aboutCustomer(
  deps: OperatorDeps,
  name: 'account' | 'audit' | 'sign-out',
  key: string,
): Promise<CommandResult> {
  switch (name) {
    case 'account': {
      const sheets = await lookUpAccount(deps, key);
      if (sheets.length === 0) return { isDone: false, lines: ['No customer found.'] };
      return done(sheets.map((sheet) => JSON.stringify(sheet, undefined, 2)));
    }
    case 'audit':
      return done(list(await readAuditTrail(deps, key), 'Nothing found.'));
    case 'sign-out':
      return signOut(deps, key);
    default:
      return name satisfies never;
  }
}

async function reportHealth(deps: OperatorDeps): Promise<CommandResult> {
  const parts = await checkHealth(deps);
  return {
    isDone: parts.every(({ isWell }) => isWell),
    lines: parts.map(
      ({ part, isWell, words }) => `${part.padEnd(9)} ${isWell ? 'ok' : 'FAILS'}   ${words}`,
    ),
  };
}

async function listOpen(deps: OperatorDeps, what: 'refunds' | 'disputes'): Promise<CommandResult> {
  if (what === 'disputes') return done(list(await listOpenDisputes(deps), 'No open disputes.'));
  const open = [...(await listMoneyBackRequests(deps)), ...(await listRejectedRefunds(deps))];
  return done(list(open, 'No open requests.'));
}

async function signOut(deps: OperatorDeps, name: string): Promise<CommandResult> {
  const ended =
    name === 'everybody' ? await signOutEverybody(deps) : await signOutCustomer(deps, name);
  if (ended === undefined) return { isDone: false, lines: ['No customer found.'] };
  return done([`Sessions ended: ${ended}.`]);
}

async function decideRefund(
  deps: OperatorDeps,
  name: 'resend' | 'settle',
  refundId: string,
): Promise<CommandResult> {
  const isResent = name === 'resend';
  const isDone = isResent
    ? await sendRefundAgain(deps, refundId)
    : await settleRefund(deps, refundId);
  const words = isResent
    ? 'The refund is being sent again.'
    : 'Recorded as returned outside the product.';
  return { isDone, lines: [isDone ? words : 'There’s no such refused refund.'] };
}

async function giveBackPack(deps: OperatorDeps, chargeId: string): Promise<CommandResult> {
  const end = await returnPack(deps, chargeId);
  switch (end.kind) {
    case 'returned':
      return done([
        `${formatCents(end.amountCents)} is on its way back. ${end.credits} credits were taken back.`,
      ]);
    case 'spent':
      return {
        isDone: false,
        lines: ['Some of its credits are spent or in use, so nothing was changed.'],
      };
    case 'none':
      return {
        isDone: false,
        lines: ['There’s no such payment for credits, or it was already returned.'],
      };
    default:
      return end satisfies never;
  }
}

async function putCreditsRight(
  deps: OperatorDeps,
  words: readonly string[],
): Promise<CommandResult> {
  const correction = readCorrection(words);
  if (!correction) return usage();
  const end = await correctCredits(deps, correction);
  switch (end.kind) {
    case 'corrected':
      return done([`They have ${end.balance} credits now.`]);
    case 'nobody':
      return { isDone: false, lines: ['No customer found.'] };
    case 'too_few':
      return { isDone: false, lines: ['They have fewer credits than that. Nothing was changed.'] };
    case 'done_before':
      return { isDone: false, lines: ['This reference was used before. Nothing was changed.'] };
    default:
      return end satisfies never;
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
