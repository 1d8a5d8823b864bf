import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { CustomerPage } from '#web/customer/page/customer-page.tsx';
import { useServices } from '#web/platform/services.ts';
import { selectionInWords } from '#web/ui/grid/grid-selection.ts';
import { CloseIcon } from '#web/ui/icons.tsx';
import styles from '../desk/desk.module.css';
import { Desk } from '../desk/desk.tsx';
import type { DeskSelection } from '../desk/use-desk-selection.ts';

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
              renderBar={(selected) => <SampleBar selected={selected} onPlans={setAsked} />}
            />
          )}
        </Sample>
      </Suspense>
    </CustomerPage>
  );
}

function SampleBar({
  selected,
  onPlans,
}: {
  selected: DeskSelection;
  onPlans: (accounts: readonly ConnectedAccount[]) => void;
}) {
  const { selection, matching, count, clear, rows } = selected;
  if (count.chosen === 0) return null;
  return (
    <div className={styles['bar']} data-foot-bar role="group" aria-label="Selected accounts">
      <p role="status">{selectionInWords(selection, matching, count)}</p>
      <Button onClick={() => onPlans(rows().map(({ account }) => account))}>Change plans</Button>
      <button type="button" className={styles['clear']} onClick={clear}>
        <CloseIcon />
        <span className="visually-hidden">Clear selection</span>
      </button>
    </div>
  );
}
