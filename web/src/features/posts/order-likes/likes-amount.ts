import { EXTRA_LIKES_MIN } from '#shared/domain/credit-packages.ts';
import { counted, figure } from '#web/ui/words/figures.ts';

/** The likes that may be sent; undefined below 20, above the credits, or when it isn't a number (S§5). */
export function likesToSend(typed: string, credits: number): number | undefined {
  if (!/^\d{1,9}$/.test(typed)) return undefined;
  const likes = Number(typed);
  return likes >= EXTRA_LIKES_MIN && likes <= credits ? likes : undefined;
}

/** What the amount means, or why it can't be sent. */
export function amountSentence(typed: string, credits: number): string {
  const likes = Number(typed);
  if (credits < EXTRA_LIKES_MIN) {
    return `You need at least ${EXTRA_LIKES_MIN} credits.`;
  }
  if (!/^\d*$/.test(typed)) return 'Please enter a whole number.';
  if (typed === '' || likes < EXTRA_LIKES_MIN) return `At least ${EXTRA_LIKES_MIN} likes.`;
  if (likes > credits) return `You have ${counted(credits, 'credit')}. That’s not enough.`;
  return `${figure(credits - likes)} credits left after this.`;
}
