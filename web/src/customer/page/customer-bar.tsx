import { UnstyledButton } from '@mantine/core';
import { lazy, type MouseEvent, type ReactNode, Suspense, useState } from 'react';
import { AlertBell } from '../alerts/alert-bell.tsx';
import { OnlyFor } from '../rights/only-for.tsx';
import { useMay } from '../rights/use-may.ts';
import { isTeam } from '../rights/user-may.ts';
import { useDialogs } from '../dialogs/dialogs.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import styles from './customer-bar.module.css';
import { ChevronDownIcon, PlusIcon, SearchIcon } from '#web/ui/icons.tsx';
import { PALETTE_KEYS } from '#web/ui/menu/key-caps.ts';
import { MenuButton } from '#web/ui/menu/menu-button.tsx';
import { usePageCommands } from '../commands/page-commands.ts';
import { ShortcutKeys } from '#web/ui/menu/shortcut-keys.tsx';
import { SyncState } from './sync-state.tsx';
import { useLogOut } from '../session/use-log-out.ts';
import { Wordmark } from '#web/ui/brand/wordmark.tsx';
import { usePendingChanges } from '../pending-changes/pending-changes.tsx';
import { waitingCountInWords } from '../pending-changes/waiting-words.ts';

/** Few people are in several workspaces. */
const WorkspaceSwitch = lazy(async () => {
  const { WorkspaceSwitch: default_ } = await import('./workspace-switch.tsx');
  return { default: default_ };
});

/**
 * The top navigation of a customer: home, the credits badge, and the menu with the way out. What is
 * given as children stands as a line of its own below it.
 */
export function CustomerBar({ children }: { children?: ReactNode }) {
  const { paths } = useServices();
  const user = useClientState((state) => state.user);
  return (
    <>
      <header className={styles['bar']} data-makes-room="unless-it-stays">
        <a className={styles['skip']} href="#content" onClick={skipToContent}>
          Skip to content
        </a>
        <Wordmark to={user?.inSubscription ? paths.dashboard : paths.subscription} />
        <nav className={styles['nav']} aria-label="Main">
          <FindButton />
          <SyncState />
          <WaitingButton />
          <AlertBell />
          {user?.membership && user.membership.workspaces.length > 1 && (
            <Suspense>
              <WorkspaceSwitch membership={user.membership} />
            </Suspense>
          )}
          {user && (
            <OnlyFor action="spend">
              <CreditsBadge credits={user.credits} />
            </OnlyFor>
          )}
          <CustomerMenu name={user?.name} email={user?.email} />
        </nav>
      </header>
      {children}
    </>
  );
}

/** Moves the focus instead of following the link, so that the address stays the page's own. */
function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  const main = document.querySelector('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus();
}

/** Opens the palette; phones have it in the menu. */
function FindButton() {
  const page = usePageCommands();
  return (
    <UnstyledButton className={styles['find']} onClick={() => page.run('palette')}>
      <SearchIcon />
      <span>Find anything</span>
      <span aria-hidden="true">
        <ShortcutKeys keys={PALETTE_KEYS} />
      </span>
    </UnstyledButton>
  );
}

function CreditsBadge({ credits }: { credits: number }) {
  const dialogs = useDialogs();
  return (
    <UnstyledButton
      className={styles['credits']}
      onClick={() => dialogs.open({ kind: 'buy_credits' })}
    >
      <PlusIcon />
      <span>
        <strong className="c-text font-600">{credits.toLocaleString('en-US')}</strong> credits
        <span className="visually-hidden">: buy credits</span>
      </span>
    </UnstyledButton>
  );
}

function CustomerMenu({ name, email }: { name: string | undefined; email: string | undefined }) {
  const logOut = useLogOut();
  const page = usePageCommands();
  const { paths } = useServices();
  const hasTeam = useClientState(({ user }) => isTeam(user));
  const seesMoney = useMay('readMoney');
  const [isLeaving, setIsLeaving] = useState(false);

  const leave = async (): Promise<void> => {
    setIsLeaving(true);
    await logOut();
    setIsLeaving(false);
  };

  return (
    <MenuButton
      name={name ? `Menu for ${name}` : 'Menu'}
      label={email}
      items={[
        {
          label: 'Find anything',
          keys: PALETTE_KEYS,
          isDisabled: false,
          onSelect: () => page.run('palette'),
        },
        null,
        { label: 'Account settings', to: paths.settings },
        ...(seesMoney ? [{ label: 'Billing', to: paths.billing }] : []),
        { label: 'Subscriptions', to: paths.subscriptions },
        ...(hasTeam
          ? [
              { label: 'Client report', to: paths.report },
              { label: 'Team', to: paths.team },
              { label: 'Activity', to: paths.activity },
            ]
          : []),
        { label: 'Help', to: paths.help },
        null,
        { label: 'Log out', isDisabled: isLeaving, onSelect: () => void leave() },
      ]}
    >
      <span className={styles['name']} dir="auto">
        <Name of={name ?? 'Menu'} />
      </span>
      <ChevronDownIcon />
    </MenuButton>
  );
}

/** A phone has room for the first name, and a name cut in the middle looks like a mistake. */
function Name({ of }: { of: string }) {
  const [first = '', ...others] = of.trim().split(/\s+/u);
  return (
    <>
      {first} <span className={styles['others']}>{others.join(' ')}</span>
    </>
  );
}

/** In the top bar while something waits or was refused: opens the list of it. */
function WaitingButton() {
  const items = usePendingChanges();
  const dialogs = useDialogs();
  const isRefused = items.some(({ state }) => state.kind === 'failed');
  const words = waitingCountInWords(items);
  return (
    <>
      {items.length > 0 && (
        <UnstyledButton
          className={styles['waiting']}
          data-tone={isRefused ? 'bad' : 'wait'}
          onClick={() => dialogs.open({ kind: 'waiting_actions' })}
        >
          <span className={styles['count']}>{items.length}</span>
          <span className="visually-hidden-on-phones">{words}</span>
          <span className="visually-hidden">: show changes</span>
        </UnstyledButton>
      )}
      <span className="visually-hidden" role="status">
        {items.length > 0 && `Changes: ${words}`}
      </span>
    </>
  );
}
