import type { AccountProblem } from '#shared/contract/connected-account.ts';
import styles from './account-problem-banner.module.css';
import { problemSentence } from './account-sentences.ts';

export function AccountProblemBanner({
  problem,
  igUsername,
}: {
  problem: AccountProblem;
  igUsername: string;
}) {
  const { title, sentence } = problemSentence(problem, igUsername);
  return (
    <section className={styles['banner']} data-problem={problem} aria-live="polite">
      <h2>{title}</h2>
      <p>{sentence}</p>
    </section>
  );
}
