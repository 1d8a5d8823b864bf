import { useMantineColorScheme } from '@mantine/core';
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useCustomer } from '#web/customer/customer.ts';
import { shortTime } from '#web/ui/words/dates.ts';
import { ShortcutKeys } from '#web/ui/menu/shortcut-keys.tsx';
import { SHORTCUTS } from '#web/customer/commands/shortcuts.ts';
import { useLocal } from '#web/customer/use-local.ts';
import { useLogOut } from '#web/customer/session/use-log-out.ts';
import { useShortcutActions } from '#web/customer/commands/use-shortcut-actions.ts';
import { useShownAccount } from '#web/customer/use-shown-account.ts';
import { useSwitchAccount } from '#web/customer/use-switch-account.ts';
import { listNewestLocalPosts } from '#web/replica/queries/posts.ts';
import { listSavedFilters } from '#web/replica/queries/saved-filters.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { isTeam } from '#web/customer/rights/user-may.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { type CommandActions, type CommandGroup, commandGroups } from './commands.ts';
import { findPosts, type FoundPost } from './find-posts.ts';

/** So many of the newest posts are looked through. */
const POSTS_SEARCHED = 5000;

/** Finds a screen, an action, a post or an account by typing a part of it. */
export function Palette({ onClose }: { onClose: () => void }) {
  const accounts = useClientState((kept) => kept.connectedAccounts);
  const actions = usePaletteActions();
  const [[store, spotlight]] = useState(createSpotlight);
  useEffect(() => spotlight.open(), [spotlight]);
  const [typed, setTyped] = useState('');
  const posts = useFoundPosts(typed);
  const { db } = useCustomer();
  const filters = useLocal(() => listSavedFilters(db), [db]) ?? [];
  const groups = commandGroups({ accounts, posts, filters }, typed, actions);
  return (
    <Spotlight
      store={store}
      query={typed}
      onQueryChange={setTyped}
      onSpotlightClose={onClose}
      // The shell and the page decide when it opens.
      shortcut={null}
      // What is opened a hundred times a day doesn't move.
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0 }}
      // What fits was found already.
      filter={(_, lines) => lines}
      nothingFound="Nothing found"
      scrollable
      maxHeight="60vh"
      // The library gives its dialog no name.
      attributes={{ content: { 'aria-label': 'Commands' } }}
      searchProps={{
        placeholder: 'Post, account, page or action',
        'aria-label': 'Find a command',
        dir: 'auto',
      }}
      classNames={{
        content: 'border rounded-lg bg-raised c-text',
        search: 'min-h-touch bg-raised c-text',
      }}
      actions={groups.map(linesOf)}
    />
  );
}

function linesOf({ group, actions }: CommandGroup): SpotlightActionGroupData {
  return {
    group,
    actions: actions.map(({ id, label, description, shortcut, run }) => ({
      id,
      label,
      onClick: run,
      ...(description && { description }),
      ...(shortcut && {
        rightSection: (
          <span aria-hidden="true">
            <ShortcutKeys keys={SHORTCUTS[shortcut].keys} />
          </span>
        ),
      }),
    })),
  };
}

function useFoundPosts(typed: string): FoundPost[] {
  const { db } = useCustomer();
  const { platform } = useServices();
  const accounts = useClientState((kept) => kept.connectedAccounts);
  const posts = useLocal(() => listNewestLocalPosts(db, POSTS_SEARCHED), [db]);
  // Typing stays quick: the posts follow when there is time.
  const followed = useDeferredValue(typed);
  const names = useMemo(
    () => new Map(accounts.map(({ igId, igUsername }) => [igId, igUsername])),
    [accounts],
  );
  return useMemo(() => {
    const posted = (instant: string): string => shortTime(Date.parse(instant), platform.timeZone());
    return findPosts(posts ?? [], followed, names, posted);
  }, [posts, followed, names, platform]);
}

function usePaletteActions(): CommandActions {
  const { paths } = useServices();
  const { sync } = useCustomer();
  const shortcuts = useShortcutActions();
  const logOut = useLogOut();
  const switchAccount = useSwitchAccount();
  const dialogs = useDialogs();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { setColorScheme } = useMantineColorScheme();
  const accounts = useClientState((kept) => kept.connectedAccounts);
  const hasTeam = useClientState(({ user }) => isTeam(user));
  const shown = useShownAccount();
  return {
    shortcuts: shortcuts(),
    changeUsername: shown && (() => dialogs.open({ kind: 'change_username', account: shown })),
    openDashboard: () => void navigate(paths.dashboard),
    openTeamPage: hasTeam ? (page) => void navigate(paths[page]) : undefined,
    openPost: ({ id, igId }) => {
      const account = accounts.find((one) => one.igId === igId);
      if (account && account !== shown) switchAccount(account);
      void navigate(paths.receipt(id));
    },
    openFilter: (filter) => {
      const to = new URLSearchParams(filter.search);
      // Whose posts are shown is no part of a filter.
      if (new URLSearchParams(search).get('accounts') === 'all') to.set('accounts', 'all');
      void navigate(`${paths.dashboard}?${to}`);
    },
    switchTo: (account) => {
      switchAccount(account);
      void navigate(paths.dashboard);
    },
    setColorScheme,
    syncNow: () => sync.wake(),
    logOut: () => void logOut(),
  };
}
