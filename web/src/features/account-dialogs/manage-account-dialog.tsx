import { useNavigate } from 'react-router-dom';
import { findPlan } from '#shared/domain/plans.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { hasRunningPlan, moneyBackLeftUntil } from '#web/components/account-state.ts';
import { DialogFrame } from '#web/components/dialog-frame.tsx';
import parts from '#web/components/dialog-parts.module.css';
import { BackIcon } from '#web/components/icons.tsx';
import { ProxyImage } from '#web/components/proxy-image.tsx';
import { useModalAccount } from '#web/components/use-modal-account.ts';
import { useDialogs } from '#web/platform/dialogs.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import styles from './account-dialogs.module.css';

/** What can be done with one account (S§2). */
export function ManageAccountDialog() {
  const account = useModalAccount();
  if (!account) return null;
  return (
    <DialogFrame title="Manage account">
      <div className={styles['account']}>
        <span className={styles['avatar']}>
          <ProxyImage path={account.profilePic} alt="" width={160} isEager />
        </span>
        <div>
          <h3>@{account.igUsername}</h3>
          <p className={parts['note']}>{planOf(account)}</p>
        </div>
      </div>
      <Choices account={account} />
    </DialogFrame>
  );
}

function Choices({ account }: { account: ConnectedAccount }) {
  const { paths } = useServices();
  const navigate = useNavigate();
  const dialogs = useDialogs();
  const { igUsername } = account;
  const accounts = useClientState((state) => state.connectedAccounts);
  const isRunning = hasRunningPlan(account);
  const givesMoneyBack = moneyBackLeftUntil(account) !== null || account.moneyBackState !== null;
  return (
    <ul className={styles['choices']}>
      <Choice
        name="Change username"
        note="Renamed it, or moving to another account?"
        onChoose={() => dialogs.open({ kind: 'change_username', account })}
      />
      {(isRunning || givesMoneyBack) && (
        <Choice
          name="Manage subscription"
          note={isRunning ? 'Change plan, pause or cancel' : 'Your money back'}
          onChoose={() => dialogs.open({ kind: 'manage_subscription', account })}
        />
      )}
      {!isRunning && (
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
        <strong>{name}</strong>
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
