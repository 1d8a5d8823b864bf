import { lazy, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ShellCommand } from '#shared/platform.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { usePageCommand } from '#web/customer/commands/page-commands.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useServices } from '#web/platform/services.ts';

const Palette = lazy(async () => {
  const { Palette: default_ } = await import('./palette/palette.tsx');
  return { default: default_ };
});

/** A page is there before its keys are. */
const ShortcutListener = lazy(async () => {
  const { ShortcutListener: default_ } = await import('./shortcut-listener.ts');
  return { default: default_ };
});

/** Carries out what menus, links and notifications of the shell ask for; listens to the keys, shows the palette. */
export function ShellCommands() {
  const { platform } = useServices();
  const { sync } = useCustomer();
  const dialogs = useDialogs();
  const navigate = useNavigate();
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
  return (
    <Suspense>
      <ShortcutListener />
      {hasPalette && <Palette onClose={() => setHasPalette(false)} />}
    </Suspense>
  );
}
