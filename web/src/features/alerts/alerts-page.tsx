import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Alert } from '#shared/domain/accounts/alert.ts';
import { ALERT_WORDS } from '#web/customer/alerts/alert-words.ts';
import { type ShownAlerts, useAlerts } from '#web/customer/alerts/alerts.tsx';
import { useCustomer } from '#web/customer/customer.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { CustomerPage } from '#web/customer/page/customer-page.tsx';
import { userMayWith } from '#web/customer/rights/user-may.ts';
import { useWaitingProposals } from '#web/customer/proposals/use-proposals.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { MenuButton } from '#web/ui/menu/menu-button.tsx';
import { EmptyState } from '#web/ui/page/empty-state.tsx';
import { Notice } from '#web/ui/page/notice.tsx';
import { CHANGE_NOT_SAVED } from '#web/ui/words/not-saved.ts';
import { toastError, toastSuccess } from '#web/ui/toasts/toast.ts';
import { shortTime } from '#web/ui/words/dates.ts';
import styles from './alerts-page.module.css';

/** What somebody may have to act on, newest first (docs/decisions/0046). */
export function AlertsPage() {
  const shown = useAlerts();
  // Read once for both parts: two reads may differ for a moment, and contradict each other.
  const { length: waiting } = useWaitingProposals();
  const { paths } = useServices();
  return (
    <CustomerPage title="Alerts">
      {waiting > 0 && <ToApprove waiting={waiting} />}
      {shown ? (
        <Alerts {...shown} waiting={waiting} />
      ) : (
        <p aria-live="polite">Loading your alerts…</p>
      )}
      <p className={styles['choices']}>
        <Link to={`${paths.settings}#notifications`}>Choose your alerts and a daily email</Link>
      </p>
    </CustomerPage>
  );
}

/** They stand on top of the accounts, where they are decided about. */
function ToApprove({ waiting }: { waiting: number }) {
  const { paths } = useServices();
  return (
    <Notice tone="wait">
      <p>
        {waiting === 1
          ? 'A bulk change is waiting for your approval.'
          : `${waiting} bulk changes are waiting for your approval.`}
      </p>
      <Button component={Link} to={paths.subscriptions}>
        Review
      </Button>
    </Notice>
  );
}

function Alerts({ alerts, unread, choices, waiting }: ShownAlerts & { waiting: number }) {
  // What was new when the page opened stays marked while it is looked at.
  const [readBefore] = useState(choices.readUntil);
  useMarkRead(unread);
  if (alerts.length + waiting === 0) {
    return (
      <EmptyState title="Nothing needs your attention" isHeading>
        <p>
          Accounts that can’t be read, declined payments, deliveries that ended early and budgets
          that are spent show up here.
        </p>
      </EmptyState>
    );
  }
  const readMs = readBefore === null ? 0 : Date.parse(readBefore);
  return (
    <ul className={styles['alerts']} aria-label="Alerts, newest first">
      {alerts.map((alert) => (
        <AlertLine key={alert.key} alert={alert} isNew={alert.atMs > readMs} />
      ))}
    </ul>
  );
}

/** Whoever sees the list has read it. */
function useMarkRead(unread: readonly Alert[]): void {
  const { changes } = useCustomer();
  const { platform } = useServices();
  const newestMs = unread[0]?.atMs;
  useEffect(() => {
    if (newestMs === undefined) return;
    changes
      .setAlerts({ readUntil: new Date(newestMs).toISOString() })
      .catch((error: unknown) => platform.report('What was read could not be kept', error));
  }, [changes, platform, newestMs]);
}

function AlertLine({ alert, isNew }: { alert: Alert; isNew: boolean }) {
  const { platform } = useServices();
  const { title, sentence, client, atMs } = alert;
  return (
    <li data-new={isNew || undefined}>
      <div className={styles['words']}>
        <h2 className={styles['title']}>
          {isNew && <span className="visually-hidden">New: </span>}
          {title}
        </h2>
        <p>{sentence}</p>
        <p className="c-soft text-1">
          {client && `${client.name} · `}
          <time dateTime={new Date(atMs).toISOString()}>
            {shortTime(atMs, platform.timeZone())}
          </time>
        </p>
      </div>
      <div className="flex items-center gap-1">
        <Act alert={alert} />
        <Mute alert={alert} />
      </div>
    </li>
  );
}

/** Leads to where something can be done about it. */
function Act({ alert }: { alert: Alert }) {
  const { paths } = useServices();
  const dialogs = useDialogs();
  const { kind, igUsername, postId } = alert;
  const account = useClientState(({ connectedAccounts }) =>
    connectedAccounts.find((each) => each.igUsername === igUsername),
  );
  const mayEdit = useClientState(
    ({ user }) => account !== undefined && userMayWith(user, 'edit', account),
  );
  if (kind === 'account_unreadable') {
    if (account && !mayEdit) return null;
    return (
      <Button
        variant="default"
        disabled={!account}
        aria-label={`Manage @${igUsername ?? ''}`}
        onClick={() => account && dialogs.open({ kind: 'manage_account', account })}
      >
        Manage
      </Button>
    );
  }
  if (kind === 'order_ended_early') {
    return (
      <Button component={Link} variant="default" to={paths.receipt(postId ?? '')}>
        See receipt
      </Button>
    );
  }
  return (
    <Button component={Link} variant="default" to={paths.billing}>
      Go to Billing
    </Button>
  );
}

const MUTED = 'Muted. You can change that in your account settings, under Notifications.';

function Mute({ alert: { kind, client, title } }: { alert: Alert }) {
  const { changes } = useCustomer();
  const { platform } = useServices();
  const mute = async (clientId: string | null): Promise<void> => {
    try {
      const outcome = await changes.setAlerts({ mute: { kind, clientId, isOn: true } });
      if (outcome.kind === 'refused') toastError(outcome.message);
      else toastSuccess(MUTED);
    } catch (error) {
      platform.report('A mute could not be kept', error);
      toastError(CHANGE_NOT_SAVED);
    }
  };
  const what = ALERT_WORDS[kind];
  return (
    <MenuButton
      name={`Mute: ${title}`}
      label={what}
      items={[
        ...(client
          ? [
              {
                label: `Mute for ${client.name}`,
                isDisabled: false,
                onSelect: () => void mute(client.id),
              },
            ]
          : []),
        { label: 'Mute for all accounts', isDisabled: false, onSelect: () => void mute(null) },
      ]}
    >
      Mute
    </MenuButton>
  );
}
