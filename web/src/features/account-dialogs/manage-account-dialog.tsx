import { DialogFrame } from '#web/components/dialog-frame.tsx';

export function ManageAccountDialog() {
  return <DialogFrame title="Manage account">{null}</DialogFrame>;
}
