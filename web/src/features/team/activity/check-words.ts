import type { ActivityCheck } from '#shared/contract/activity.ts';
import { shortTime } from '#web/ui/words/dates.ts';
import { figure } from '#web/ui/words/figures.ts';

/** What was looked at, and what came of it. */
export function checkWords(
  { entries, from, until, fingerprint, problem }: ActivityCheck,
  timeZone: string,
): string {
  if (problem !== null) {
    return `The log isn’t as it was written: ${problem}. Please write to us.`;
  }
  if (from === null || until === null) return 'Nothing has been written yet.';
  const time = (at: string): string => shortTime(Date.parse(at), timeZone);
  return `Nothing was changed, removed or moved. We checked ${figure(entries)} ${entries === 1 ? 'entry' : 'entries'}, from ${time(from)} to ${time(until)}. Fingerprint: ${fingerprint}`;
}
