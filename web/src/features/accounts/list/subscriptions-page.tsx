import { OnlyFor } from '#web/customer/rights/only-for.tsx';
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { BudgetNotice } from '#web/customer/alerts/budget-notice.tsx';
import { NoAccounts } from '#web/customer/no-accounts.tsx';
import { CustomerPage } from '#web/customer/page/customer-page.tsx';
import { Notice } from '#web/ui/page/notice.tsx';
import { readNotice } from '#web/ui/page/page-notice.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { useMay } from '#web/customer/rights/use-may.ts';
import { isTeam } from '#web/customer/rights/user-may.ts';
import { AccountsDesk } from '../desk/accounts-desk.tsx';
import { AccountsList } from './accounts-list.tsx';

/** Only a team has a second person. */
const WaitingProposals = lazy(async () => ({
  default: (await import('../bulk/waiting-proposals.tsx')).WaitingProposals,
}));

/** Up to so many accounts are a plain list, unless somebody asks for more. */
const FEW = 20;

/** All connected accounts with their plans; made for one as for five thousand (S§2). */
export function SubscriptionsPage() {
  const dialogs = useDialogs();
  const location = useLocation();
  const { paths } = useServices();
  const accounts = useClientState((state) => state.connectedAccounts);
  const isKnown = useClientState((state) => state.user !== null);
  const hasTeam = useClientState(({ user }) => isTeam(user));
  const mayApprove = useMay('spend') && hasTeam;
  // Nothing was paid for yet: whoever has many begins with all of them.
  const isNew = accounts.length > 0 && accounts.every((each) => each.accountPackageId === null);
  const notice = readNotice(location.state);
  const add = (
    <OnlyFor action="connect">
      <div className="flex flex-wrap gap-3">
        {isNew && (
          <>
            <Button variant="default" component={Link} to={paths.sample}>
              Try a sample
            </Button>
            <Button
              variant="default"
              onClick={() => dialogs.open({ kind: 'bulk_change', accounts: [], about: 'names' })}
            >
              Paste names
            </Button>
          </>
        )}
        <Button onClick={() => dialogs.open({ kind: 'add_account' })}>Add account</Button>
      </div>
    </OnlyFor>
  );
  return (
    <CustomerPage title="Subscriptions" actions={add} isWide>
      {mayApprove && (
        <Suspense>
          <WaitingProposals />
        </Suspense>
      )}
      {notice && <Notice tone="wait">{notice}</Notice>}
      <BudgetNotice />
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
  const { search } = useLocation();
  const [isAsked, setIsAsked] = useState(search !== '');
  if (accounts.length > FEW || (accounts.length > 0 && isAsked)) {
    return <AccountsDesk accounts={accounts} />;
  }
  if (accounts.length > 0) {
    return <AccountsList accounts={accounts} onMore={() => setIsAsked(true)} />;
  }
  if (!isKnown) return <p aria-live="polite">Loading your accounts…</p>;
  return <NoAccounts />;
}
