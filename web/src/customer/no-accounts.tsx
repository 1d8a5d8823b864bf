import { lazy, Suspense } from 'react';

/** Mostly there are accounts; fetched where there are none. */
const ConnectFirst = lazy(async () => ({
  default: (await import('./connect-first.tsx')).ConnectFirst,
}));

/** Stands on a page of accounts, or of their posts, where nothing is connected yet. */
export function NoAccounts() {
  return (
    <Suspense>
      <ConnectFirst />
    </Suspense>
  );
}
