import { lazy, Suspense } from 'react';

const WaitingForYou = lazy(async () => {
  const { WaitingForYou: Waiting } = await import('./waiting-for-you.tsx');
  return { default: Waiting };
});

/** Read once the page stands. */
export function LazyWaitingForYou() {
  return (
    <Suspense>
      <WaitingForYou />
    </Suspense>
  );
}
