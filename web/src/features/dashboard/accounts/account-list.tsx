import { TextInput } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { SearchIcon } from '#web/components/icons.tsx';
import styles from './account-bar.module.css';

/** Height of an account before it is measured, px. */
const ROW_PX = 52;

/** All connected accounts, thousands if need be: type to find, arrows to move, Enter to choose. */
export function AccountList({
  accounts,
  active,
  onChoose,
}: {
  accounts: readonly ConnectedAccount[];
  active: ConnectedAccount;
  onChoose: (account: ConnectedAccount) => void;
}) {
  const [text, setText] = useState('');
  const [highlighted, setHighlighted] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const found = useMemo(() => findAccounts(accounts, text), [accounts, text]);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes here
  const virtualizer = useVirtualizer({
    count: found.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    useFlushSync: false,
  });

  const moveTo = (index: number): void => {
    const to = Math.max(0, Math.min(found.length - 1, index));
    setHighlighted(to);
    virtualizer.scrollToIndex(to, { align: 'auto' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const account = found[highlighted];
    if (event.key === 'ArrowDown') moveTo(highlighted + 1);
    else if (event.key === 'ArrowUp') moveTo(highlighted - 1);
    else if (event.key === 'Enter' && account) onChoose(account);
    else return;
    event.preventDefault();
  };

  return (
    <div className={styles['panel']}>
      <TextInput
        type="search"
        role="combobox"
        aria-label="Find an account"
        aria-expanded
        aria-controls="accounts-found"
        aria-activedescendant={found[highlighted] ? `account-${highlighted}` : undefined}
        placeholder={`Find among ${accounts.length.toLocaleString('en-US')}`}
        leftSection={<SearchIcon />}
        value={text}
        data-autofocus
        onChange={(event) => {
          setText(event.currentTarget.value);
          setHighlighted(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} className={styles['list']}>
        <div
          id="accounts-found"
          role="listbox"
          aria-label="Accounts"
          style={{ height: virtualizer.getTotalSize(), position: 'relative' }}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const account = found[index];
            if (!account) return null;
            return (
              // The field above has the focus and its keys; see `onKeyDown` there.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- as said above
              <div
                key={account.igUsername}
                ref={virtualizer.measureElement}
                data-index={index}
                id={`account-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={account.igUsername === active.igUsername}
                aria-posinset={index + 1}
                aria-setsize={found.length}
                className={styles['option']}
                data-highlighted={index === highlighted || undefined}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => onChoose(account)}
              >
                <span className={styles['name']}>@{account.igUsername}</span>
                <span className={styles['plan']}>{account.subscriptionState ?? 'No plan'}</span>
              </div>
            );
          })}
        </div>
        {found.length === 0 && <p className={styles['none']}>No account has this name.</p>}
      </div>
    </div>
  );
}

function findAccounts(
  accounts: readonly ConnectedAccount[],
  text: string,
): readonly ConnectedAccount[] {
  const wanted = text.trim().toLowerCase().replace(/^@/, '');
  return wanted === ''
    ? accounts
    : accounts.filter(({ igUsername }) => igUsername.toLowerCase().includes(wanted));
}
