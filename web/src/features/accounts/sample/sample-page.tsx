import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { CustomerPage } from '#web/customer/page/customer-page.tsx';
import { useServices } from '#web/platform/services.ts';
import { Desk } from '../desk/desk.tsx';
import { SelectedBar } from '../desk/selected-bar.tsx';

/** Few come here: its accounts and prices aren’t fetched with the table. */
const Sample = lazy(async () => ({ default: (await import('./sample.tsx')).Sample }));

/** A client to try the table with. */
export function SamplePage() {
  const { paths } = useServices();
  const [asked, setAsked] = useState<readonly ConnectedAccount[]>();
  return (
    <CustomerPage
      title="Sample client"
      isWide
      actions={
        <Button component={Link} to={paths.subscriptions}>
          Clear the sample
        </Button>
      }
    >
      <Suspense>
        <Sample asked={asked} onAsk={setAsked}>
          {(accounts, figures) => (
            <Desk
              accounts={accounts}
              figures={figures}
              fileName="sample-accounts.csv"
              isWhole
              renderBar={(selected) => (
                <SelectedBar selected={selected}>
                  <Button onClick={() => setAsked(selected.rows().map(({ account }) => account))}>
                    Change plans
                  </Button>
                </SelectedBar>
              )}
            />
          )}
        </Sample>
      </Suspense>
    </CustomerPage>
  );
}
