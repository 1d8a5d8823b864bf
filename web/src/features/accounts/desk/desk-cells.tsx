import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { statusOf } from '../account-status.ts';
import { StatusMark } from '../status-mark.tsx';
import styles from './desk.module.css';

export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className={styles['tags']}>
      {tags.map((tag) => (
        <span key={tag} dir="auto">
          {tag}
        </span>
      ))}
    </span>
  );
}

export function Status({ account, timeZone }: { account: ConnectedAccount; timeZone: string }) {
  return <StatusMark status={statusOf(account, timeZone)} className={styles['status']} />;
}
