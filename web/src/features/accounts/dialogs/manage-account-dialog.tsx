import { lazy, Suspense, useState } from 'react';
import { Button } from '@mantine/core';
import { userMayWith } from '#web/customer/rights/user-may.ts';
import { onlySentence, useMay } from '#web/customer/rights/use-may.ts';
import { useNavigate } from 'react-router-dom';
import { findPlan } from '#shared/domain/money/plans.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { hasRunningPlan, moneyBackLeftUntil } from '#web/customer/account-state.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { focusFirst } from '#web/ui/forms/use-swap-focus.ts';
import { BackIcon } from '#web/ui/icons.tsx';
import { PlanAdvice } from '#web/payments/advice/plan-advice.tsx';
import { usePlanHistory } from '#web/payments/advice/use-plan-history.ts';
import { ProxyImage } from '#web/customer/pictures/proxy-image.tsx';
import { useModalAccount } from '#web/customer/use-modal-account.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import styles from './account-dialogs.module.css';
import { useNamesClients } from './use-client-list.ts';

/** What can be done with one account (S§2). */
export function ManageAccountDialog() {
  const account = useModalAccount();
  if (!account) return null;
  return (
    <DialogFrame title="Manage account">
      <div className="flex items-center gap-3 min-w-0 wrap-anywhere">
        <span className="avatar" data-size="large">
          <ProxyImage path={account.profilePic} alt="" width={160} isEager />
        </span>
        <div>
          <h3>@{account.igUsername}</h3>
          <p className={parts['note']}>{planOf(account)}</p>
        </div>
      </div>
      <Manageable account={account} />
    </DialogFrame>
  );
}

const OneBudget = lazy(async () => {
  const { OneBudget: default_ } = await import('#web/payments/budget/one-budget.tsx');
  return { default: default_ };
});

/** What the account may cost in a month; read when it is opened. */
function Budget({ account: { igUsername } }: { account: ConnectedAccount }) {
  const mayRead = useMay('readMoney');
  const [isOpen, setIsOpen] = useState(false);
  if (!mayRead) return null;
  if (!isOpen) {
    return (
      <div className={parts['actions']}>
        <Button variant="default" onClick={() => setIsOpen(true)}>
          Monthly budget
        </Button>
      </div>
    );
  }
  return (
    <div ref={focusFirst}>
      <Suspense>
        <OneBudget igUsername={igUsername} />
      </Suspense>
    </div>
  );
}

/** What can be done waits for what is said above it. */
function Manageable({ account }: { account: ConnectedAccount }) {
  const { platform } = useServices();
  const mayPay = useMay('spend');
  const history = usePlanHistory(account.igId);
  // Its own plan is compared, or else the smallest one.
  const plan = findPlan(hasRunningPlan(account) ? (account.accountPackageId ?? 1) : 1);
  const timeZone = account.timeZone ?? platform.timeZone();
  if (!history) return null;
  return (
    <>
      {mayPay && plan && <PlanAdvice {...{ history, plan, timeZone }} isDryRun={false} />}
      <Choices account={account} />
      <Budget account={account} />
    </>
  );
}

function Choices({ account }: { account: ConnectedAccount }) {
  const { paths } = useServices();
  const navigate = useNavigate();
  const dialogs = useDialogs();
  const { igUsername } = account;
  const accounts = useClientState((state) => state.connectedAccounts);
  const mayEdit = useClientState(({ user }) => userMayWith(user, 'edit', account));
  const mayConnect = useMay('connect');
  const mayPay = useMay('spend');
  const namesClients = useNamesClients();
  const isRunning = hasRunningPlan(account);
  const givesMoneyBack = moneyBackLeftUntil(account) !== null || account.moneyBackState !== null;
  // Who may pay may edit, too.
  if (!mayEdit) return <p>{onlySentence('edit', 'change this account')}</p>;
  return (
    <ul className={styles['choices']}>
      {mayConnect && (
        <Choice
          name="Change username"
          note="Renamed it, or moving to another account?"
          onChoose={() => dialogs.open({ kind: 'change_username', account })}
        />
      )}
      {mayPay && (isRunning || givesMoneyBack) && (
        <Choice
          name="Manage subscription"
          note={isRunning ? 'Change plan, pause or cancel' : 'Your money back'}
          onChoose={() => dialogs.open({ kind: 'manage_subscription', account })}
        />
      )}
      {mayPay && !isRunning && (
        <Choice
          name="Choose a plan"
          note="Automatic likes on every new post"
          onChoose={() => void navigate(paths.otherSubscription(1, igUsername))}
        />
      )}
      <Choice
        name="Delivery settings"
        note="Automatic likes, their speed and amount"
        onChoose={() => dialogs.open({ kind: 'delivery_settings', account })}
      />
      {namesClients && (
        <Choice
          name="Change client"
          note={account.client?.name ?? 'Who this account is for'}
          onChoose={() => dialogs.open({ kind: 'set_client', account })}
        />
      )}
      {!isRunning && accounts.length > 1 && (
        <Choice
          name="Remove account"
          note="Take it off your list. Payments and receipts stay"
          onChoose={() => dialogs.open({ kind: 'remove_account', account })}
        />
      )}
    </ul>
  );
}

function Choice({ name, note, onChoose }: { name: string; note: string; onChoose: () => void }) {
  return (
    <li>
      <button type="button" className={styles['choice']} onClick={onChoose}>
        <strong className="font-600">{name}</strong>
        <span className={parts['note']}>{note}</span>
        <BackIcon />
      </button>
    </li>
  );
}

function planOf(account: ConnectedAccount): string {
  const plan = findPlan(account.accountPackageId ?? 0);
  if (!plan || !hasRunningPlan(account)) return 'No plan';
  return `${plan.description} likes per post, ${account.subscriptionState?.toLowerCase()}`;
}
