import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { statusOf } from '../account-status.ts';
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
  const { word, tone, detail } = statusOf(account, timeZone);
  return (
    <span className={styles['status']} title={detail || undefined}>
      <strong className="state" data-tone={tone}>
        {word}
      </strong>
      {detail && <small>{detail}</small>}
    </span>
  );
}
