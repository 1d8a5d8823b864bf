import { Button } from '@mantine/core';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { listLocalPinned } from '#web/replica/queries/accounts.ts';
import { useServices } from '#web/platform/services.ts';
import { CHANGE_NOT_SAVED } from '#web/ui/words/not-saved.ts';
import { useCustomer } from './customer.ts';
import type { RowControl } from '#web/ui/data-table/column.ts';
import { PinIcon } from '#web/ui/icons.tsx';
import styles from './keep-offline.module.css';
import { toastError } from '#web/ui/toasts/toast.ts';
import { useLocal } from './use-local.ts';

/** Network ids of the accounts kept for offline, with what waits to be sent; undefined until they are known. */
export function usePinned(): ReadonlySet<string> | undefined {
  const { db } = useCustomer();
  return useLocal(() => listLocalPinned(db), [db]);
}

interface KeepOfflineProps {
  account: ConnectedAccount;
  /** Undefined until it is known: before, a press would change nothing. */
  isKept: boolean | undefined;
  /** In a table, what makes it reachable by keys; there it is a mark alone. */
  control?: RowControl;
}

/** Keeps an account's posts and pictures on this person's devices, or no longer; works without network. */
export function KeepOffline({ account, isKept, control }: KeepOfflineProps) {
  const { changes } = useCustomer();
  const { platform } = useServices();
  const change = async (): Promise<void> => {
    const outcome = await changes.pinAccount(account, !isKept);
    if (outcome.kind === 'refused') toastError(outcome.message);
  };
  return (
    <Button
      variant="default"
      className={styles['keep'] ?? ''}
      data-row={control ? true : undefined}
      disabled={isKept === undefined}
      title={isKept ? 'Kept offline' : 'Keep offline'}
      aria-pressed={isKept ?? false}
      aria-label={`Keep offline: @${account.igUsername}`}
      {...control}
      onClick={() => {
        change().catch((error: unknown) => {
          platform.report('The account could not be kept', error);
          toastError(CHANGE_NOT_SAVED);
        });
      }}
    >
      <PinIcon isFilled={isKept ?? false} />
      {!control && <span className={styles['words']}>Keep offline</span>}
    </Button>
  );
}

/** Beside the name of an account that is kept. */
export function KeptMark() {
  return (
    <span className={styles['mark']}>
      <PinIcon isFilled />
      <span className="visually-hidden">, kept offline</span>
    </span>
  );
}
