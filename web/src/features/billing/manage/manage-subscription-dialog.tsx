import { dateInWords } from '#web/ui/words/dates.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { Quote } from '#shared/contract/money/subscription.ts';
import { findPlan, getPlan } from '#shared/domain/money/plans.ts';
import { zoneTime } from '#shared/domain/time-zone.ts';
import { hasRunningPlan, moneyBackLeftUntil } from '#web/customer/account-state.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { useSwapFocus } from '#web/ui/forms/use-swap-focus.ts';
import { plannedChangeOf, plannedSentence } from '#web/payments/plan/plan-change-words.ts';
import { PlanChange } from '#web/payments/plan/plan-change.tsx';
import { PlannedChangeNotice } from '#web/payments/plan/planned-change.tsx';
import { useModalAccount } from '#web/customer/use-modal-account.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import { CancellationOptions } from './cancellation-options.tsx';
import { GoOn } from './go-on.tsx';
import { MoneyBackOption } from './money-back-option.tsx';
import { type Cancellation, useCancellation, type CancellationProps } from './use-cancellation.ts';

/** One account's plan: change it, pause it, or end it, each with its date and amount (S§2, D5). */
export function ManageSubscriptionDialog() {
  const account = useModalAccount();
  if (!account) return null;
  return (
    <DialogFrame title="Manage subscription" size="36rem">
      <Management account={account} />
    </DialogFrame>
  );
}

function Management({ account }: { account: ConnectedAccount }) {
  const { platform } = useServices();
  const cancellation = useCancellation(account);
  const [isLeaving, setIsLeaving] = useState(false);
  const backTo = useSwapFocus(isLeaving);
  const [changed, setChanged] = useState<Quote>();
  if (cancellation.done) return <Done sentence={cancellation.done} />;
  const timeZone = account.timeZone ?? platform.timeZone();
  if (changed) return <Done sentence={doneSentence(changed, timeZone)} />;
  if (!hasRunningPlan(account)) return <NoPlan account={account} cancellation={cancellation} />;
  if (isLeaving) {
    return (
      <CancellationOptions
        account={account}
        cancellation={cancellation}
        onBack={() => setIsLeaving(false)}
      />
    );
  }
  return (
    <>
      <PlanNow account={account} />
      <Changes account={account} cancellation={cancellation} onChanged={setChanged} />
      <div className="flex flex-wrap items-center gap-y-2 gap-x-4 pt-4 border-t">
        <Button ref={backTo(true)} variant="default" onClick={() => setIsLeaving(true)}>
          Cancel subscription
        </Button>
        <p className={parts['note']}>Next, choose to pause, stop or get your money back.</p>
      </div>
    </>
  );
}

/** A paused or ending plan first goes on; a running one can be changed. */
function Changes({
  account,
  cancellation,
  onChanged,
}: {
  account: ConnectedAccount;
  cancellation: Cancellation;
  onChanged: (quote: Quote) => void;
}) {
  const planned = plannedChangeOf(account);
  return (
    <>
      {planned && <PlannedChangeNotice account={account} planned={planned} />}
      {account.resumesAt || account.endsAt ? (
        <GoOn account={account} cancellation={cancellation} />
      ) : (
        <PlanChange
          account={account}
          firstPlan={account.accountPackageId ?? 1}
          onChanged={onChanged}
        />
      )}
    </>
  );
}

function doneSentence(quote: Quote, timeZone: string): string {
  const plan = getPlan(quote.packageIndex);
  if (quote.starts === 'now') return `Done. Your next post gets ${plan.description} likes.`;
  const planned = { plan, atMs: Date.parse(quote.nextBillingDate) };
  return `${plannedSentence(planned, timeZone)} We’ve emailed you.`;
}

function PlanNow({ account }: { account: ConnectedAccount }) {
  const { platform } = useServices();
  const plan = findPlan(account.accountPackageId ?? 0);
  const next = account.nextBillingDate;
  const timeZone = account.timeZone ?? platform.timeZone();
  const date = next && !account.endsAt && dateInWords(Date.parse(next), timeZone);
  return (
    <p>
      <strong>@{account.igUsername}</strong>
      {plan && `: ${plan.description} likes per post`}
      {date && `, charged next on ${date}, ${zoneTime(timeZone)}`}.
      {account.shiftReason && ` ${account.shiftReason}`}
    </p>
  );
}

/** A cancellation may be why there is none any more, and money back is still to be had for 30 days. */
function NoPlan({ account, cancellation }: CancellationProps) {
  const { paths } = useServices();
  const navigate = useNavigate();
  return (
    <>
      <FormProblem sentence={cancellation.problem} />
      <p>@{account.igUsername} has no plan, so nothing is charged.</p>
      <div className={parts['actions']}>
        <Button onClick={() => void navigate(paths.otherSubscription(1, account.igUsername))}>
          Choose a plan
        </Button>
      </div>
      {(moneyBackLeftUntil(account) ?? account.moneyBackState) && (
        <MoneyBackOption account={account} cancellation={cancellation} />
      )}
    </>
  );
}

/** What has happened; nothing else is left to do here. */
function Done({ sentence }: { sentence: string }) {
  const { close } = useDialogs();
  return (
    <>
      <p role="status" className="notice" data-tone="good">
        {sentence}
      </p>
      <div className={parts['actions']}>
        <Button onClick={close}>Done</Button>
      </div>
    </>
  );
}
