import { Button } from '@mantine/core';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { listLocalPinned } from '../local-db/pinned-accounts.ts';
import { useServices } from '../platform/services.ts';
import { useCustomer } from './customer.ts';
import type { RowControl } from './data-table/column.ts';
import { PinIcon } from './icons.tsx';
import styles from './keep-offline.module.css';
import { toastError } from './toast.ts';
import { useLocal } from './use-local.ts';

const NONE: ReadonlySet<string> = new Set();

/** Network ids of the accounts that are kept for offline, with what waits to be sent. */
export function usePinned(): ReadonlySet<string> {
  const { db } = useCustomer();
  return useLocal(() => listLocalPinned(db), [db]) ?? NONE;
}

interface KeepOfflineProps {
  account: ConnectedAccount;
  isKept: boolean;
  /** In a table, what makes it reachable by keys. */
  control?: RowControl;
}

/** Keeps an account's posts and pictures on this person's devices, or no longer; works without network. */
export function KeepOffline({ account, isKept, control }: KeepOfflineProps) {
  const { actions } = useCustomer();
  const { platform } = useServices();
  const change = async (): Promise<void> => {
    const outcome = await actions.pinAccount(account, !isKept);
    if (outcome.kind === 'refused') toastError(outcome.message);
  };
  return (
    <Button
      variant="default"
      className={styles['keep'] ?? ''}
      title={isKept ? 'Kept offline' : 'Keep offline'}
      aria-pressed={isKept}
      aria-label={`Keep offline: @${account.igUsername}`}
      {...control}
      onClick={() => {
        change().catch((error: unknown) => {
          platform.report('The account could not be kept', error);
          toastError('This device could not store the change. Nothing was changed.');
        });
      }}
    >
      <PinIcon isFilled={isKept} />
    </Button>
  );
}

/** Beside the name of an account that is kept. */
export function KeptMark() {
  return (
    <span className={styles['mark']}>
      <PinIcon isFilled />
      <span className="visually-hidden">, kept for offline</span>
    </span>
  );
}
