import { lazy, Suspense } from 'react';
import { CustomerPage } from '#web/customer/page/customer-page.tsx';

const Report = lazy(async () => {
  const { Report: default_ } = await import('./report.tsx');
  return { default: default_ };
});

/** What a client’s posts of a month have come to. */
export function ReportPage() {
  return (
    <CustomerPage title="Client report" isWide>
      <Suspense fallback={<p aria-live="polite">Loading the report…</p>}>
        <Report />
      </Suspense>
    </CustomerPage>
  );
}
