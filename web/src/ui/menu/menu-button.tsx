import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import styles from './menu-button.module.css';
import { ShortcutKeys } from './shortcut-keys.tsx';
import { useDropdown } from './use-dropdown.ts';

/** A way to another page, or something to do; `null` is a line between the items around it. */
type MenuItem =
  | { label: string; to: string }
  | { label: string; keys?: string; isDisabled: boolean; onSelect: () => void }
  | null;

interface MenuButtonProps {
  /** What the button is called. */
  name: string;
  /** What stands on the button. */
  children: ReactNode;
  /** A line above the items that isn't one of them. */
  label: string | undefined;
  items: readonly MenuItem[];
}

/** A button with a menu below it: arrows, Home and End move, Escape and Tab close. */
export function MenuButton({ name, children, label, items }: MenuButtonProps) {
  const { isOpen, toggle, close, root, button, onKeyDown } = useDropdown();
  const [buttonId, menuId] = [useId(), useId()];
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of what is inside
    <div ref={root} className="relative min-w-0" onKeyDown={onKeyDown}>
      <button
        ref={button}
        id={buttonId}
        type="button"
        className={styles['button']}
        aria-label={name}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={toggle}
        onKeyDown={(event) => {
          if (isOpen || event.key !== 'ArrowDown') return;
          event.preventDefault();
          toggle();
        }}
      >
        {children}
      </button>
      {isOpen && (
        <div className={styles['menu']}>
          {label && <p className={styles['label']}>{label}</p>}
          <Items id={menuId} labelledBy={buttonId} items={items} close={close} />
        </div>
      )}
    </div>
  );
}

function Items({
  id,
  labelledBy,
  items,
  close,
}: {
  id: string;
  labelledBy: string;
  items: readonly MenuItem[];
  close: () => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const choices = (): HTMLElement[] =>
    Array.from(
      list.current?.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)') ?? [],
    );
  useEffect(() => {
    list.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, []);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') return close();
    const all = choices();
    const to = moveTo(
      event.key,
      all.findIndex((one) => one === document.activeElement),
      all.length,
    );
    if (to === undefined) return undefined;
    event.preventDefault();
    return all[to]?.focus();
  };
  return (
    <div
      ref={list}
      id={id}
      role="menu"
      tabIndex={-1}
      aria-labelledby={labelledBy}
      className="grid"
      onKeyDown={onKeyDown}
    >
      {items.map((item, place) => (
        // The items of a menu never change places.
        // oxlint-disable-next-line react/no-array-index-key -- as said above
        <Item key={place} item={item} close={close} />
      ))}
    </div>
  );
}

function Item({ item, close }: { item: MenuItem; close: () => void }) {
  if (item === null) return <hr className={styles['line']} />;
  if ('to' in item) {
    return (
      <Link role="menuitem" tabIndex={-1} className={styles['item']} to={item.to} onClick={close}>
        {item.label}
      </Link>
    );
  }
  const select = (): void => {
    close();
    item.onSelect();
  };
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles['item']}
      disabled={item.isDisabled}
      onClick={select}
    >
      {item.label}
      {item.keys && (
        <span className={styles['keys']} aria-hidden="true">
          <ShortcutKeys keys={item.keys} />
        </span>
      )}
    </button>
  );
}

/** Where a key leads from an item, around both ends; undefined for keys that lead nowhere. */
export function moveTo(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (from + 1) % count;
  if (key === 'ArrowUp') return (Math.max(from, 0) - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
