import { useEffect, useId } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { ChevronDownIcon, AccountsIcon } from '#web/ui/icons.tsx';
import { ProxyImage } from '#web/customer/pictures/proxy-image.tsx';
import { useDropdown } from '#web/ui/menu/use-dropdown.ts';
import styles from './account-bar.module.css';
import { AccountList } from './account-list.tsx';
import type { AccountChoice } from './find-accounts.ts';

/** The active account as a button that opens the list of all. */
export function AccountSwitcher({
  accounts,
  active,
  onChoose,
}: {
  accounts: readonly ConnectedAccount[];
  active: AccountChoice;
  onChoose: (choice: AccountChoice) => void;
}) {
  const { isOpen, toggle, close, root, button, onKeyDown } = useDropdown();
  const listId = useId();
  useEffect(() => {
    if (isOpen) root.current?.querySelector('input')?.focus();
  }, [isOpen, root]);
  const choose = (choice: AccountChoice): void => {
    close();
    onChoose(choice);
  };
  const name = active === 'all' ? 'All accounts' : `@${active.igUsername}`;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of what is inside
    <div ref={root} className={styles['switcher']} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className={styles['switch']}
        aria-label={`Active account ${name}, switch account`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        onClick={toggle}
      >
        <span className="avatar">
          {active === 'all' ? (
            <AccountsIcon />
          ) : (
            <ProxyImage path={active.profilePic} alt="" width={160} isEager />
          )}
        </span>
        <span className={styles['name']}>{name}</span>
        <ChevronDownIcon />
      </button>
      {isOpen && (
        <div id={listId} className={styles['dropdown']} role="dialog" aria-label="Accounts">
          <AccountList accounts={accounts} active={active} onChoose={choose} />
        </div>
      )}
    </div>
  );
}
