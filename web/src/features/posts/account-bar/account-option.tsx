import type { Ref } from 'react';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { stateInWord } from '#web/customer/account-state.ts';
import { AccountsIcon } from '#web/ui/icons.tsx';
import { KeptMark } from '#web/customer/keep-offline.tsx';
import { ProxyImage } from '#web/customer/pictures/proxy-image.tsx';
import styles from './account-list.module.css';
import type { AccountChoice } from './find-accounts.ts';

interface AccountOptionProps {
  ref: Ref<HTMLDivElement>;
  choice: AccountChoice;
  /** Its place among those that were found, from 0. */
  index: number;
  count: number;
  /** Where it begins in the list, px. */
  startPx: number;
  isActive: boolean;
  /** The keyboard is at it. */
  isHighlighted: boolean;
  /** Kept for offline. */
  isKept: boolean;
  onChoose: (choice: AccountChoice) => void;
}

/** One account in the list; the list has the focus and its keys. */
export function AccountOption({
  ref,
  choice,
  index,
  count,
  startPx,
  isActive,
  isHighlighted,
  isKept,
  onChoose,
}: AccountOptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- as said above
    <div
      ref={ref}
      data-index={index}
      id={`account-${index}`}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-posinset={index + 1}
      aria-setsize={count}
      className={styles['option']}
      data-highlighted={isHighlighted || undefined}
      style={{ transform: `translateY(${startPx}px)` }}
      onClick={() => onChoose(choice)}
    >
      {choice === 'all' ? <AllAccounts /> : <OneAccount account={choice} isKept={isKept} />}
    </div>
  );
}

function OneAccount({ account, isKept }: { account: ConnectedAccount; isKept: boolean }) {
  const { igUsername, profilePic, subscriptionState } = account;
  return (
    <>
      <span className="avatar" data-size="row">
        <ProxyImage path={profilePic} alt="" width={160} />
      </span>
      <span className={styles['name']}>@{igUsername}</span>
      {isKept && <KeptMark />}
      <span className={styles['plan']} data-state={subscriptionState}>
        {stateInWord(account)}
      </span>
    </>
  );
}

function AllAccounts() {
  return (
    <>
      <span className="avatar" data-size="row">
        <AccountsIcon />
      </span>
      <span className={styles['name']}>All accounts</span>
    </>
  );
}
