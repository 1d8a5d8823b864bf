import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { ShortcutList } from '#web/customer/commands/shortcut-list.tsx';

/** Every key of the app, behind "?". */
export function ShortcutsDialog() {
  return (
    <DialogFrame title="Keyboard shortcuts" size="46rem">
      <ShortcutList />
    </DialogFrame>
  );
}
