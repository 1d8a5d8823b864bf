import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { statusOf } from '../list/account-status.ts';
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

interface StatusProps {
  account: ConnectedAccount;
  timeZone: string;
  seesMoney: boolean;
}

export function Status({ account, timeZone, seesMoney }: StatusProps) {
  const { word, tone, detail } = statusOf(account, timeZone, seesMoney);
  return (
    <span className={styles['status']}>
      <strong className="state" data-tone={tone}>
        {word}
      </strong>
      {detail && <small>{detail}</small>}
    </span>
  );
}
