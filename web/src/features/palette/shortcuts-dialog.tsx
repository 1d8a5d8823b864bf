import { DialogFrame } from '#web/components/dialog-frame.tsx';
import { ShortcutList } from '#web/components/shortcut-list.tsx';

/** Every key of the app, behind "?". */
export function ShortcutsDialog() {
  return (
    <DialogFrame title="Keyboard shortcuts" size="46rem">
      <ShortcutList />
    </DialogFrame>
  );
}
