import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { figure, postsInWords } from '#web/ui/words/figures.ts';

/** As many posts a first reading of an account brings; older ones are read after it. */
const FIRST_READING = 100;
/** Thousands of older posts are read within this. */
const READING_MS = 10 * 60_000;

/** Whether only the first reading of an account with a young plan may be here. */
export function isFirstReading(
  loaded: number,
  accounts: readonly ConnectedAccount[],
  nowMs: number,
): boolean {
  const [account, ...others] = accounts;
  const beganAt = account?.accountPackageSubsriptionDate;
  if (loaded !== FIRST_READING || !beganAt || others.length > 0) return false;
  return nowMs - Date.parse(beganAt) < READING_MS;
}

/** How many posts are shown, and whether that is all of them. */
export function countInWords(
  shown: number,
  loaded: number,
  isComplete: boolean,
  isNarrowed: boolean,
): string {
  if (isNarrowed) {
    const all = `${figure(shown)} of ${postsInWords(loaded)}`;
    return isComplete ? `${all} match.` : `${all} checked so far match.`;
  }
  return isComplete ? postsInWords(loaded) : `The newest ${postsInWords(loaded)}`;
}
