import { DialogFrame } from '#web/components/dialog-frame.tsx';

export function BuyCreditsDialog() {
  return <DialogFrame title="Buy credits">{null}</DialogFrame>;
}
