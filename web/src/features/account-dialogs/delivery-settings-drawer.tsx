import { DialogFrame } from '#web/components/dialog-frame.tsx';

export function DeliverySettingsDrawer() {
  return <DialogFrame title="Delivery settings">{null}</DialogFrame>;
}
