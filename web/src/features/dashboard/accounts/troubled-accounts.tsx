import { Link } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './account-problem-banner.module.css';
import { troubleSentence } from './account-sentences.ts';

/** Over the posts of all accounts: which of them somebody has to look after. */
export function TroubledAccounts({ accounts }: { accounts: readonly ConnectedAccount[] }) {
  const { paths } = useServices();
  const sentence = troubleSentence(accounts);
  if (!sentence) return null;
  return (
    <section className={styles['banner']} data-problem="unreadable" aria-live="polite">
      <p>
        {sentence} <Link to={paths.subscriptions}>Go to subscriptions</Link>
      </p>
    </section>
  );
}
