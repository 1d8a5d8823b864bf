import { lazy, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ShellCommand } from '#shared/platform.ts';
import { useCustomer } from '../components/customer.ts';
import { usePageCommand } from '../components/page-commands.ts';
import { useShortcutActions } from '../components/use-shortcut-actions.ts';
import { useDialogs } from '../platform/dialogs.ts';
import { useServices } from '../platform/services.ts';
import { useShortcuts } from './use-shortcuts.ts';

const Palette = lazy(async () => {
  const { Palette: default_ } = await import('../features/palette/palette.tsx');
  return { default: default_ };
});

/** Carries out the keys, and what menus, links and notifications of the shell ask for; shows the palette. */
export function ShellCommands() {
  const { platform } = useServices();
  const { sync } = useCustomer();
  const dialogs = useDialogs();
  const navigate = useNavigate();
  const actions = useShortcutActions();
  const [hasPalette, setHasPalette] = useState(false);

  useEffect(() => {
    const carryOut = (command: ShellCommand): void => {
      switch (command.kind) {
        case 'open':
          return void navigate(command.path);
        case 'palette':
          return setHasPalette(true);
        case 'buy_credits':
        case 'add_account':
          return dialogs.open({ kind: command.kind });
        case 'sync_now':
          return sync.wake();
      }
    };
    return platform.onCommand(carryOut);
  }, [platform, navigate, dialogs, sync]);
  usePageCommand('palette', () => setHasPalette(true));
  useShortcuts((shortcut) => {
    if (shortcut === 'palette') {
      setHasPalette(true);
      return true;
    }
    const run = actions()[shortcut];
    run?.();
    return run !== undefined;
  });

  if (!hasPalette) return null;
  return (
    <Suspense>
      <Palette onClose={() => setHasPalette(false)} />
    </Suspense>
  );
}
