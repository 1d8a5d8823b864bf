import { DialogFrame } from '#web/components/dialog-frame.tsx';

export function ChangeUsernameDialog() {
  return <DialogFrame title="Change username">{null}</DialogFrame>;
}
