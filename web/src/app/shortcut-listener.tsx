import { usePageCommands } from '#web/customer/commands/page-commands.ts';
import { useShortcutActions } from '#web/customer/commands/use-shortcut-actions.ts';
import { useShortcuts } from './use-shortcuts.ts';

/** Carries out the keys of the app. */
export function ShortcutListener() {
  const page = usePageCommands();
  const actions = useShortcutActions();
  useShortcuts((shortcut) => {
    if (page.run(shortcut)) return true;
    const run = actions()[shortcut];
    run?.();
    return run !== undefined;
  });
  return null;
}
