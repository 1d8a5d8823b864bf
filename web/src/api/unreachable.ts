import type { Answer } from './client.ts';

/** What a form says when it reached nobody: what to do. The form keeps what was typed. */
export const UNREACHABLE =
  'We couldn’t reach the server. What you typed is still here. Check your connection and try again.';

/** What a page says that got no answer, where there is no more to say. */
export const NO_ANSWER = 'We couldn’t reach the server. Please try again.';

const UNKNOWN_ANSWER = 'Something went wrong. What you typed is still here. Please try again.';

/** Why there is no data; `noAnswer` where the server may have heard. */
export const problemOf = (
  answer: Exclude<Answer<unknown>, { kind: 'success' }>,
  noAnswer = NO_ANSWER,
): string => (answer.kind === 'error' ? answer.message : noAnswer);

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
