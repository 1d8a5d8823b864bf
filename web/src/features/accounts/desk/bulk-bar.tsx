import { Button } from '@mantine/core';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { OnlyFor } from '#web/customer/rights/only-for.tsx';
import { userMayWithAll } from '#web/customer/rights/user-may.ts';
import { useClientState } from '#web/platform/services.ts';
import { selectionInWords } from '#web/ui/grid/grid-selection.ts';
import { CloseIcon } from '#web/ui/icons.tsx';
import styles from './desk.module.css';
import type { DeskSelection } from './use-desk-selection.ts';

interface BulkBarProps {
  selected: DeskSelection;
}

/** At the foot while accounts are chosen: how many, and what can be done with all of them. */
export function BulkBar({ selected }: BulkBarProps) {
  const dialogs = useDialogs();
  // A customer alone hears nothing of clients.
  const isTeam = useClientState(({ user }) => (user?.membership?.people ?? 1) > 1);
  const { selection, matching, count, clear, rows } = selected;
  const user = useClientState((state) => state.user);
  if (count.chosen === 0) return null;
  const accounts = () => rows().map(({ account }) => account);
  return (
    <div className={styles['bar']} data-foot-bar role="group" aria-label="Selected accounts">
      <p role="status">{selectionInWords(selection, matching, count)}</p>
      <OnlyFor action="edit">
        {userMayWithAll(user, 'edit', accounts) ? (
          <Button onClick={() => dialogs.open({ kind: 'tag_accounts', accounts: accounts() })}>
            Change tags
          </Button>
        ) : (
          <p className="text-1">You can’t change all of these accounts.</p>
        )}
      </OnlyFor>
      <OnlyFor action="connect">
        <Button
          variant="default"
          onClick={() =>
            dialogs.open({ kind: 'bulk_change', accounts: accounts(), about: 'delivery' })
          }
        >
          Delivery settings
        </Button>
      </OnlyFor>
      {isTeam && (
        <OnlyFor action="clients">
          <Button
            variant="default"
            onClick={() =>
              dialogs.open({ kind: 'bulk_change', accounts: accounts(), about: 'client' })
            }
          >
            Set client
          </Button>
        </OnlyFor>
      )}
      <OnlyFor action="spend">
        <Button
          variant="default"
          onClick={() => dialogs.open({ kind: 'bulk_change', accounts: accounts() })}
        >
          Change plans
        </Button>
      </OnlyFor>
      <button type="button" className={styles['clear']} onClick={clear}>
        <CloseIcon />
        <span className="visually-hidden">Clear selection</span>
      </button>
    </div>
  );
}
