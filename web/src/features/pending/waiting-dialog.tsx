import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { usePendingChanges } from '#web/customer/pending-changes/pending-changes.tsx';
import { useReachable } from '#web/customer/use-reachable.ts';
import { useServices } from '#web/platform/services.ts';
import { usePaused } from './paused-changes.tsx';
import { PausedOffer } from './paused-offer.tsx';
import { WaitingList } from './waiting-list.tsx';

/** The changes made here that the server hasn't done, and those it refused. */
export function WaitingDialog() {
  const items = usePendingChanges();
  const isPaused = usePaused();
  const isReachable = useReachable();
  const { platform } = useServices();
  const isRefused = items.some(({ state }) => state.kind === 'failed');
  const isWaiting = items.some(({ state }) => state.kind !== 'failed');
  return (
    <DialogFrame title="Your changes">
      {items.length === 0 && <p role="status">Everything has been sent.</p>}
      {isWaiting && !isPaused && !isReachable && (
        <p className={parts['note']}>
          {platform.isOnline() ? 'We can’t reach the server.' : 'You’re offline.'} Your changes are
          saved on this device. We’ll send them as soon as we can.
        </p>
      )}
      {isRefused && (
        <p className={parts['note']}>Refused changes didn’t happen and cost no credits.</p>
      )}
      {isPaused && (
        <p>
          You made these before this device was logged out, and they were never sent. Nothing is
          sent until you say so.
        </p>
      )}
      {items.length > 0 && <WaitingList items={items} />}
      {isPaused && <PausedOffer />}
    </DialogFrame>
  );
}
