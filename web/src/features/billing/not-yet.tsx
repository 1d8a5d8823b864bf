import type { ReactNode } from 'react';
import { useCustomer } from '#web/components/customer.ts';
import { useReachable } from '#web/components/use-reachable.ts';
import { Unread } from './unread.tsx';

/** In place of rows this device has never had. */
export function NotYet({ children }: { children: ReactNode }) {
  const { sync } = useCustomer();
  if (!useReachable()) return <Unread again={sync.wake} />;
  return <p aria-live="polite">{children}</p>;
}
