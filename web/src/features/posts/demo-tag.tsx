import { useClientState } from '#web/platform/services.ts';
import styles from './demo-tag.module.css';

const MEANING = 'Likes, cards and emails are simulated by the sandbox';

/** A quiet word for customers whose data are demo data; nothing for all others. */
export function DemoTag() {
  const isDemoData = useClientState((state) => state.user?.isDemoData ?? false);
  if (!isDemoData) return null;
  return (
    <span className={styles['tag']} title={MEANING}>
      Demo data
      <span className="visually-hidden">: {MEANING}</span>
    </span>
  );
}
