import { lazy, Suspense, useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ShellCommand } from '#shared/platform.ts';
import { useCustomer } from '../components/customer.ts';
import { useDialogs } from '../platform/dialogs.ts';
import { useServices } from '../platform/services.ts';

const Palette = lazy(async () => {
  const { Palette: default_ } = await import('../features/palette/palette.tsx');
  return { default: default_ };
});

/** Carries out what menus, links and notifications of the shell ask for, and opens the palette on Ctrl or Cmd+K. */
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

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setHasPalette(true);
    };
    globalThis.addEventListener('keydown', onKey);
    return () => globalThis.removeEventListener('keydown', onKey);
  }, []);

  if (!hasPalette) return null;
  return (
    <Suspense>
      <Palette onClose={() => setHasPalette(false)} />
    </Suspense>
  );
}
