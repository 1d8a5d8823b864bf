import type { DryRun } from '#shared/domain/plan-adviser.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { shortTime } from '#web/ui/words/dates.ts';

/** So many posts are listed, the newest. */
const LISTED_LIMIT = 30;

/** What a purchase would have bought, in one line that opens to the posts. */
export function DryRunLine({ run, timeZone }: { run: DryRun; timeZone: string }) {
  if (run.posts.length === 0) return <p className={parts['note']}>{run.line}</p>;
  const listed = run.posts.slice(-LISTED_LIMIT).toReversed();
  const more = run.posts.length - listed.length;
  return (
    <details className={parts['note']}>
      <summary className="py-2 cursor-pointer">{run.line}</summary>
      <ul>
        {listed.map(({ atMs, isServed }, nth) => (
          <li key={`${atMs} ${nth}`}>
            {shortTime(atMs, timeZone)}: {isServed ? 'likes' : 'no likes'}
          </li>
        ))}
        {more > 0 && <li>and {more.toLocaleString('en-US')} older</li>}
      </ul>
    </details>
  );
}
