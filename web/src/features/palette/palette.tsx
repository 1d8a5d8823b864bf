import { useMantineColorScheme } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useCustomer } from '#web/components/customer.ts';
import { useLogOut } from '#web/components/use-log-out.ts';
import { useSwitchAccount } from '#web/components/use-switch-account.ts';
import { useDialogs } from '#web/platform/dialogs.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { commandGroups } from './commands.ts';
import styles from './palette.module.css';

/** Finds a screen, an action or an account by typing a part of its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { paths } = useServices();
  const { sync } = useCustomer();
  const logOut = useLogOut();
  const switchAccount = useSwitchAccount();
  const dialogs = useDialogs();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const accounts = useClientState((kept) => kept.connectedAccounts);
  const [[store, spotlight]] = useState(createSpotlight);
  useEffect(() => spotlight.open(), [spotlight]);

  const [typed, setTyped] = useState('');
  const groups = commandGroups(accounts, typed, {
    paths,
    go: (path) => void navigate(path),
    buyCredits: () => dialogs.open({ kind: 'buy_credits' }),
    addAccount: () => dialogs.open({ kind: 'add_account' }),
    switchTo: (account) => {
      switchAccount(account);
      void navigate(paths.dashboard);
    },
    setColorScheme,
    syncNow: () => sync.wake(),
    logOut: () => void logOut(),
  });
  return (
    <Spotlight
      store={store}
      query={typed}
      onQueryChange={setTyped}
      onSpotlightClose={onClose}
      // The shell and the page decide when it opens.
      shortcut={null}
      nothingFound="No matching commands"
      scrollable
      maxHeight="60vh"
      // The library gives its dialog no name.
      attributes={{ content: { 'aria-label': 'Commands' } }}
      searchProps={{
        placeholder: 'Find a command or an account',
        'aria-label': 'Find a command',
        dir: 'auto',
      }}
      classNames={{ content: styles['content'] ?? '', search: styles['search'] ?? '' }}
      actions={groups.map(({ group, actions }) => ({
        group,
        actions: actions.map(({ id, label, keywords, run }) => ({
          id,
          label,
          onClick: run,
          ...(keywords && { keywords }),
        })),
      }))}
    />
  );
}
