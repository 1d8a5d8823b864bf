import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import { CustomerPage } from '#web/customer/page/customer-page.tsx';
import { useServices } from '#web/platform/services.ts';
import { Desk } from '../desk/desk.tsx';

/** Few come here: its accounts, prices and dialogs aren’t fetched with the table. */
const Sample = lazy(async () => ({ default: (await import('./sample.tsx')).Sample }));

/** A client to try the table with. */
export function SamplePage() {
  const { paths } = useServices();
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
        <Sample>{(desk) => <Desk fileName="sample-accounts.csv" isWhole {...desk} />}</Sample>
      </Suspense>
    </CustomerPage>
  );
}
