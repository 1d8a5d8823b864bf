import { DialogFrame } from '#web/components/dialog-frame.tsx';

export function ManageSubscriptionDialog() {
  return <DialogFrame title="Manage subscription">{null}</DialogFrame>;
}
