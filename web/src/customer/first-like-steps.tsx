import type { FirstLikeStep } from './first-like.ts';
import styles from './first-like-steps.module.css';
import { CheckIcon } from '#web/ui/icons.tsx';

/** What happens between the payment and the first like; each step ticks itself. */
export function FirstLikeSteps({ steps }: { steps: readonly FirstLikeStep[] }) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <ol className={styles['steps']}>
      {steps.map(({ title, text, isDone }, index) => (
        <li
          key={title}
          data-done={isDone || undefined}
          aria-current={index === next ? 'step' : undefined}
        >
          <span className={styles['mark']} aria-hidden="true">
            {isDone ? <CheckIcon /> : index + 1}
          </span>
          <div>
            <strong className="c-text font-600">{title}</strong>
            {isDone && <span className="visually-hidden"> Done.</span>} <span>{text}</span>
          </div>
        </li>
      ))}
    </ol>
  );
}
