import { DialogFrame } from '#web/components/dialog-frame.tsx';
import parts from '#web/components/dialog-parts.module.css';
import { useOutbox } from '#web/components/outbox.tsx';
import { useReachable } from '#web/components/use-reachable.ts';
import { useServices } from '#web/platform/services.ts';
import { useHeld } from './held-changes.tsx';
import { HeldOffer } from './held-offer.tsx';
import { WaitingList } from './waiting-list.tsx';

/** The changes made here that the server hasn't done, and those it refused. */
export function WaitingDialog() {
  const items = useOutbox();
  const isHeld = useHeld();
  const isReachable = useReachable();
  const { platform } = useServices();
  const isRefused = items.some(({ state }) => state.kind === 'failed');
  const isWaiting = items.some(({ state }) => state.kind !== 'failed');
  return (
    <DialogFrame title="Your changes">
      {items.length === 0 && <p role="status">Everything has been sent.</p>}
      {isWaiting && !isHeld && !isReachable && (
        <p className={parts['note']}>
          {platform.isOnline() ? 'We can’t reach the server.' : 'You’re offline.'} Your changes are
          saved on this device. We’ll send them as soon as we can.
        </p>
      )}
      {isRefused && (
        <p className={parts['note']}>Refused changes didn’t happen and cost no credits.</p>
      )}
      {isHeld && (
        <p>
          You made these before this device was logged out, and they were never sent. Nothing is
          sent until you say so.
        </p>
      )}
      {items.length > 0 && <WaitingList items={items} />}
      {isHeld && <HeldOffer />}
    </DialogFrame>
  );
}
