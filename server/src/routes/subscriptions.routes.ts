import type { Hono } from 'hono';
import type { CallData } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { User } from '#shared/contract/people/user.ts';
import { amountRange } from '#shared/domain/money/money-back-words.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import type { AttemptOutcome, Attempts } from '#server/kit/attempts/attempt.service.ts';
import { dateInWords } from '#shared/domain/words/date-in-words.ts';
import { findNewestId } from '#server/money/subscriptions/subscription.repository.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { viewUser } from '#server/read-model/users.service.ts';
import { changePlan, keepPlan } from '#server/money/plan-changes/change-plan.service.ts';
import {
  type AccountName,
  cancelSubscription,
  limitPlanCalls,
  stopNow,
} from '#server/money/cancellation/cancellation.service.ts';
import { requestRefund } from '#server/money/refunds/refund-request.service.ts';
import { quoteRefund } from '#server/money/refunds/refund-quote.service.ts';
import { viewRefundRequests } from '#server/read-model/wallet.service.ts';
import { pauseSubscription, resume } from '#server/money/cancellation/pause.service.ts';
import { quotePlan } from '#server/money/plan-changes/quote.service.ts';
import { addSubscription } from '#server/money/checkout/add-subscription.service.ts';

export function registerSubscriptionRoutes(app: Hono, deps: Deps, attempts: Attempts): void {
  const view = (session: Session): Promise<User> => viewUser(deps, session);

  registerCall(app, CALLS.addSubscription, deps, ({ input: form, ...asked }) =>
    addSubscription(deps, attempts, { ...asked, viewUser: view, form }),
  );
  registerCall(app, CALLS.addSubscriptionWithSavedCard, deps, ({ input: form, ...asked }) =>
    addSubscription(deps, attempts, { ...asked, viewUser: view, form }),
  );
  registerCall(app, CALLS.quotePlan, deps, async ({ session, input }) => {
    await limitPlanCalls(deps, 'quote', nameOf(session, input));
    return { data: await quotePlan(deps, nameOf(session, input), input.packageIndex) };
  });
  registerCall(app, CALLS.changePlan, deps, ({ input: { quoteId }, ...asked }) =>
    changePlan(deps, attempts, { ...asked, viewUser: view, quoteId }),
  );
  registerCall(app, CALLS.keepPlan, deps, async ({ session, input }) => {
    await limitPlanCalls(deps, 'cancellation', nameOf(session, input));
    await keepPlan(deps, nameOf(session, input));
    return { data: await viewUser(deps, session), message: 'Your plan stays the same.' };
  });
  registerCancellation(app, deps, attempts);
}

const STOPPED =
  'Your plan has stopped. New posts get no more likes, and you won’t be charged again. Orders in progress will finish.';

const accountIn = (user: User, name: string): ConnectedAccount | undefined =>
  user.connectedAccounts.find(({ igUsername }) => igUsername === name);

/** A plan that stops at the end of what is paid for goes on until then. */
function goesOnSentence(account: ConnectedAccount | undefined): string {
  const { endsAt = null, nextBillingDate = null, timeZone = null } = account ?? {};
  const day = (instant: string): string => dateInWords(new Date(instant), timeZone ?? 'UTC');
  if (endsAt) return `Your plan runs until ${day(endsAt)}.`;
  if (nextBillingDate)
    return `Your plan will keep renewing. Your next charge is on ${day(nextBillingDate)}.`;
  return 'Your plan continues.';
}

function registerCancellation(app: Hono, deps: Deps, attempts: Attempts): void {
  registerCall(app, CALLS.pauseSubscription, deps, async ({ session, input }) => {
    await limitPlanCalls(deps, 'cancellation', nameOf(session, input));
    const held = await pauseSubscription(deps, nameOf(session, input), new Date(input.until));
    const day = (at: Date): string => dateInWords(at, held.timeZone);
    const message = `Likes stop on ${day(held.pausesAt)}, and start again on ${day(held.resumesAt)}. Your next charge is on ${day(held.nextBillingAt)}.`;
    return { data: await viewUser(deps, session), message };
  });
  registerCall(app, CALLS.resumeSubscription, deps, async ({ session, input }) => {
    await limitPlanCalls(deps, 'cancellation', nameOf(session, input));
    await resume(deps, nameOf(session, input));
    const data = await viewUser(deps, session);
    return { data, message: goesOnSentence(accountIn(data, input.igUsername)) };
  });
  registerCall(app, CALLS.cancelSubscription, deps, async ({ session, input }) => {
    await limitPlanCalls(deps, 'cancellation', nameOf(session, input));
    const endsAt = await cancelSubscription(deps, nameOf(session, input));
    const data = await viewUser(deps, session);
    const timeZone = accountIn(data, input.igUsername)?.timeZone ?? 'UTC';
    const message =
      endsAt.getTime() > deps.clock.now()
        ? `Your plan stops on ${dateInWords(endsAt, timeZone)}. You’ve paid until then, and you won’t be charged again.`
        : STOPPED;
    return { data, message };
  });
  registerCall(app, CALLS.stopSubscription, deps, async ({ session, input }) => {
    await stopNow(deps, nameOf(session, input));
    return { data: await viewUser(deps, session), message: STOPPED };
  });
  registerCall(app, CALLS.quoteMoneyBack, deps, async ({ session, input }) => {
    await limitPlanCalls(deps, 'quote', nameOf(session, input));
    return { data: await quoteRefund(deps, nameOf(session, input)) };
  });
  registerCall(app, CALLS.moneyBack, deps, async ({ session, input, idempotencyKey }) => {
    const { workspaceId, userId } = session;
    // Without a key of its own, the same words about another plan are another request.
    const form =
      idempotencyKey === undefined
        ? { ...input, plan: await findNewestId(deps.database.db, workspaceId, input.igUsername) }
        : input;
    const attempt = { workspaceId, userId, call: CALLS.moneyBack.path, idempotencyKey, form };
    return attempts.run(attempt, () => askRefund(deps, session, input));
  });
  registerCall(app, CALLS.findMoneyBacks, deps, async ({ session }) => ({
    data: await viewRefundRequests(deps, session.workspaceId),
  }));
}

async function askRefund(
  deps: Deps,
  session: Session,
  account: { igUsername: string },
): Promise<AttemptOutcome<CallData<typeof CALLS.moneyBack>>> {
  const request = await requestRefund(deps, nameOf(session, account));
  return {
    kind: 'done',
    data: {
      user: await viewUser(deps, session),
      state: request.state,
      amount: dollarsFromCents(request.amount_cents),
      most: dollarsFromCents(request.most_cents),
      approvedBy: request.approve_by.toISOString(),
    },
    message: `Your plan has stopped, and ${amountRange(request.amount_cents, request.most_cents)} is going back to your card.`,
  };
}

const nameOf = (
  { workspaceId, userId: actor }: Session,
  { igUsername }: { igUsername: string },
): AccountName & { actor: string } => ({ workspaceId, igUsername, actor });
