import { Button } from '@mantine/core';
import { useLocation } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { CustomerPage } from '#web/components/customer-page.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Notice } from '#web/components/notice.tsx';
import { readNotice } from '#web/components/page-notice.ts';
import { useDialogs } from '#web/platform/dialogs.ts';
import { useClientState } from '#web/platform/services.ts';
import { AccountsTable } from './accounts-table.tsx';

/** All connected accounts with their plans; made for one as for five thousand (S§2). */
export function SubscriptionsPage() {
  const dialogs = useDialogs();
  const location = useLocation();
  const accounts = useClientState((state) => state.connectedAccounts);
  const isKnown = useClientState((state) => state.user !== null);
  const notice = readNotice(location.state);
  const add = <Button onClick={() => dialogs.open({ kind: 'add_account' })}>Add account</Button>;
  return (
    <CustomerPage title="Subscriptions" actions={add} isWide>
      {notice && <Notice tone="wait">{notice}</Notice>}
      <Content accounts={accounts} isKnown={isKnown} />
    </CustomerPage>
  );
}

function Content({
  accounts,
  isKnown,
}: {
  accounts: readonly ConnectedAccount[];
  isKnown: boolean;
}) {
  if (accounts.length > 0) return <AccountsTable accounts={accounts} />;
  if (!isKnown) return <p aria-live="polite">Loading your accounts…</p>;
  return (
    <EmptyState scene="accounts" title="No accounts yet" isHeading>
      <p>
        Add a public professional account by its username, then choose a plan for it. We never ask
        for your Instagram password.
      </p>
    </EmptyState>
  );
}
