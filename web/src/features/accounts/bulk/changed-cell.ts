import type { BulkChange } from '#shared/contract/accounts/bulk.ts';
import type { MadeItem } from '#shared/contract/made-items.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { changeTags } from '#shared/domain/accounts/account-tags.ts';
import { changeDelivery } from '#shared/domain/delivery/delivery-change.ts';
import { deliveryInWords } from '#shared/domain/delivery/delivery-words.ts';
import { findPlan, getPlan, isUpgrade } from '#shared/domain/money/plans.ts';
import { shortDate } from '#web/ui/words/dates.ts';

/** One changed cell of an account. */
export interface ChangedCell {
  /** Empty: it isn’t known. */
  before: string;
  after: string;
}

/** Whether there was nothing that a change could take away. */
export const wasNothing = ({ before }: ChangedCell): boolean => NOTHING.has(before);

/** What changes of an account, and nothing else. */
export function cellOf(
  change: BulkChange,
  account: ConnectedAccount | undefined,
  timeZone: string,
): ChangedCell {
  const zone = account?.timeZone ?? timeZone;
  const plan = likesOf(account?.accountPackageId ?? null);
  const next = account?.nextPackageId ? ` (then ${likesOf(account.nextPackageId)})` : '';
  const state = account?.subscriptionState ?? '';
  switch (change.kind) {
    case 'plan':
      return {
        before: plan + next,
        after: likesOf(change.packageIndex) + fromWhen(change.packageIndex, account, zone),
      };
    case 'begin':
      return { before: NO_PLAN, after: `${likesOf(change.packageIndex)} (new plan)` };
    case 'keepPlan':
      return { before: plan + next, after: plan };
    case 'tags': {
      const before = account?.tags ?? [];
      const after = changeTags(before, change);
      return { before: listed(before), after: listed(after) };
    }
    case 'pause':
      return {
        before: state,
        after: `Paused until ${shortDate(Date.parse(change.until), zone)}`,
      };
    case 'resume':
      return { before: nowOf(account, zone), after: 'Active' };
    case 'cancel': {
      const end = account?.nextBillingDate;
      const before = nowOf(account, zone);
      // Nothing is paid that it could go on for.
      if (state === 'Past due') return { before, after: 'Stops at once' };
      const after = end ? `Stops on ${shortDate(Date.parse(end), zone)}` : 'Stops';
      return { before, after };
    }
    case 'delivery': {
      const before = account?.delivery;
      const after = before && changeDelivery(before, change.settings);
      return {
        before: before ? deliveryInWords(before, change.settings) : '',
        after: deliveryInWords(after ?? change.settings, change.settings),
      };
    }
    case 'client': {
      const after = change.clientId === null ? NO_CLIENT : (change.clientName ?? '');
      return { before: account?.client?.name ?? NO_CLIENT, after };
    }
    case 'add':
      return { before: NOT_CONNECTED, after: 'Connected, no plan' };
    case 'remove':
      return { before: 'Connected', after: 'Removed' };
    default:
      return change satisfies never;
  }
}

/** What was changed of an account, as far as it is known what it was before. */
export function madeCellOf({ change, undo, fromPlan }: MadeItem, zone: string): ChangedCell {
  const { before, after } = cellOf(change, undefined, zone);
  switch (change.kind) {
    case 'plan':
      return { before: fromPlan === null ? '' : likesOf(fromPlan), after };
    case 'keepPlan':
      return { before: '', after: fromPlan === null ? 'Plan kept' : likesOf(fromPlan) };
    case 'tags': {
      const { add = [], remove = [] } = undo?.kind === 'tags' ? undo : {};
      const words = [
        remove.length > 0 && `Added ${remove.join(', ')}`,
        add.length > 0 && `Removed ${add.join(', ')}`,
      ];
      return { before: '', after: words.filter((each) => each !== false).join('. ') || SAME };
    }
    case 'delivery': {
      if (undo?.kind !== 'delivery') return { before: '', after };
      return { before: deliveryInWords(undo.settings, change.settings), after };
    }
    case 'client': {
      if (undo?.kind !== 'client') return { before: '', after };
      return { before: undo.clientId === null ? NO_CLIENT : (undo.clientName ?? ''), after };
    }
    case 'begin':
    case 'pause':
    case 'resume':
    case 'cancel':
    case 'add':
    case 'remove':
      return { before, after };
    default:
      return change satisfies never;
  }
}

const SAME = 'It was so already';

/** A smaller plan comes with the next due date (D5). */
function fromWhen(plan: number, account: ConnectedAccount | undefined, zone: string): string {
  const { accountPackageId: now, nextBillingDate } = account ?? {};
  if (!now || !nextBillingDate || plan === now) return '';
  if (isUpgrade(getPlan(now).priceCents, getPlan(plan).priceCents)) return '';
  return ` from ${shortDate(Date.parse(nextBillingDate), zone)}`;
}

const NO_CLIENT = 'No client';
const NO_PLAN = 'No plan';
const NO_TAGS = 'No tags';
const NOT_CONNECTED = 'Not connected';
const NOTHING: ReadonlySet<string> = new Set(['', NO_CLIENT, NO_PLAN, NO_TAGS, NOT_CONNECTED]);

const listed = (tags: readonly string[]): string => (tags.length > 0 ? tags.join(', ') : NO_TAGS);

const likesOf = (plan: number | null): string =>
  plan === null ? NO_PLAN : `${findPlan(plan)?.description ?? ''} likes`;

function nowOf(account: ConnectedAccount | undefined, zone: string): string {
  if (account?.resumesAt) return `Paused until ${shortDate(Date.parse(account.resumesAt), zone)}`;
  if (account?.endsAt) return `Stops on ${shortDate(Date.parse(account.endsAt), zone)}`;
  return account?.subscriptionState ?? '';
}
