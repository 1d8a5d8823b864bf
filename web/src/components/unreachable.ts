import type { Answer } from '../api/client.ts';

/** What a form says when it reached nobody: what to do. The form keeps what was typed. */
export const UNREACHABLE =
  'The server could not be reached. What you typed is still here; check your connection and try again.';

const UNKNOWN_ANSWER =
  'The server gave an answer this page does not know. What you typed is still here; try again.';

/** Answers that say nothing of what became of the form. */
type Unanswered = Extract<Answer<unknown>, { kind: 'network' | 'unknown_status' }>;

/**
 * What a form says when nobody knows how it ended. `wasOnline`: before it was sent; without network
 * nothing was. `noAnswer` tells what may have happened, and how to find out.
 */
export function unansweredSentence(
  { kind }: Unanswered,
  { wasOnline, noAnswer }: { wasOnline: boolean; noAnswer: string },
): string {
  if (kind === 'unknown_status') return UNKNOWN_ANSWER;
  return wasOnline ? noAnswer : UNREACHABLE;
}
