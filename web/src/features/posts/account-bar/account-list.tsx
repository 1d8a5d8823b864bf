import { TextInput } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { SearchIcon } from '#web/ui/icons.tsx';
import { KeepOffline, usePinned } from '#web/customer/keep-offline.tsx';
import { AccountOption } from './account-option.tsx';
import styles from './account-list.module.css';
import { type AccountChoice, accountChoices } from './find-accounts.ts';

/** Height of an account before it is measured, px. */
const ROW_PX = 52;
/** So many need no search. */
const SHOWN_WITHOUT_SEARCH = 7;

interface AccountListProps {
  accounts: readonly ConnectedAccount[];
  active: AccountChoice;
  /** It stands on the page by itself, not in a dropdown that is opened for it. */
  isColumn?: boolean;
  onChoose: (choice: AccountChoice) => void;
}

/** All connected accounts, thousands if need be: type to find, arrows to move, Enter to choose. */
export function AccountList({ accounts, active, isColumn = false, onChoose }: AccountListProps) {
  const [text, setText] = useState('');
  /** Where the keyboard went, until another account is shown. */
  const [moved, setMoved] = useState<{ from: string; to: number }>();
  const list = useRef<HTMLDivElement>(null);
  const found = useMemo(() => accountChoices(accounts, text), [accounts, text]);
  const from = nameOf(active);
  const activeIndex = found.findIndex((one) => nameOf(one) === from);
  const highlighted = moved?.from === from ? moved.to : Math.max(0, activeIndex);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes here
  const virtualizer = useVirtualizer({
    count: found.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    useFlushSync: false,
  });

  // The one that Enter chooses is in view, among however many.
  useEffect(() => {
    const [offset] = virtualizer.getOffsetForIndex(highlighted, 'auto') ?? [];
    if (list.current && offset !== undefined) list.current.scrollTop = offset;
  }, [highlighted, virtualizer]);

  const moveTo = (index: number): void =>
    setMoved({ from, to: Math.max(0, Math.min(found.length - 1, index)) });
  const onKeyDown = (event: KeyboardEvent): void => {
    const choice = found[highlighted];
    if (event.key === 'ArrowDown') moveTo(highlighted + 1);
    else if (event.key === 'ArrowUp') moveTo(highlighted - 1);
    else if (event.key === 'Enter' && choice) onChoose(choice);
    else return;
    event.preventDefault();
  };

  const highlightedId = found[highlighted] ? `account-${highlighted}` : undefined;
  const kept = usePinned();
  const hasSearch = !isColumn || accounts.length > SHOWN_WITHOUT_SEARCH;
  return (
    <div className={styles['panel']} data-column={isColumn || undefined}>
      {hasSearch && (
        <TextInput
          type="search"
          role="combobox"
          aria-label="Find an account"
          aria-expanded
          aria-controls="accounts-found"
          aria-activedescendant={highlightedId}
          placeholder={`Find among ${accounts.length.toLocaleString('en-US')}`}
          leftSection={<SearchIcon />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setMoved(event.currentTarget.value === '' ? undefined : { from, to: 0 });
          }}
          onKeyDown={onKeyDown}
        />
      )}
      <div ref={list} className={styles['list']}>
        <div
          id="accounts-found"
          role="listbox"
          aria-label="Accounts"
          // Beside a search field the field has the focus and the keys.
          tabIndex={hasSearch ? -1 : 0}
          aria-activedescendant={hasSearch ? undefined : highlightedId}
          onKeyDown={hasSearch ? undefined : onKeyDown}
          style={{ height: virtualizer.getTotalSize(), position: 'relative' }}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const choice = found[index];
            return (
              choice && (
                <AccountOption
                  key={nameOf(choice)}
                  ref={virtualizer.measureElement}
                  choice={choice}
                  index={index}
                  count={found.length}
                  startPx={start}
                  isActive={index === activeIndex}
                  isHighlighted={index === highlighted}
                  isKept={choice !== 'all' && (kept?.has(choice.igId) ?? false)}
                  onChoose={onChoose}
                />
              )
            );
          })}
        </div>
        {found.length === 0 && <p className={styles['none']}>No matching accounts</p>}
      </div>
      {active !== 'all' && <KeepOffline account={active} isKept={kept?.has(active.igId)} />}
    </div>
  );
}

const nameOf = (choice: AccountChoice): string => (choice === 'all' ? '' : choice.igUsername);
