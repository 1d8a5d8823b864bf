import { DialogFrame } from '#web/components/dialog-frame.tsx';

export function AddAccountDialog() {
  return <DialogFrame title="Add new Instagram account">{null}</DialogFrame>;
}
