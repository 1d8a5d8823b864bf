import { useMay } from '#web/customer/rights/use-may.ts';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { BONUS_WAITS, EXTRA_LIKES_MIN } from '#shared/domain/money/credit-packages.ts';
import { CloseIcon } from '#web/ui/icons.tsx';
import { figure, postsInWords } from '#web/ui/words/figures.ts';
import { usePageCommand } from '#web/customer/commands/page-commands.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useClientState } from '#web/platform/services.ts';
import styles from './selection-bar.module.css';
import type { PostSelection } from './use-post-selection.ts';

/** So many posts take part in one order for many. */
export const MANY_POSTS_MAX = 200;

/** What an order for many posts comes to; or, in one sentence, why it can't be made. */
type ManyLikes =
  | { kind: 'ready'; each: number; total: number; left: number }
  | { kind: 'not_yet'; sentence: string };

/** At the foot while posts are chosen: how many likes each, what that comes to, and the way to order. */
export function PostSelectionBar({ chosen, clear }: Pick<PostSelection, 'chosen' | 'clear'>) {
  const dialogs = useDialogs();
  const user = useClientState((state) => state.user);
  const [typed, setTyped] = useState(String(EXTRA_LIKES_MIN));
  const fieldId = useId();
  const mayOrder = useMay('spend');
  const isShown = chosen.length > 0;
  usePageCommand('back', isShown ? clear : undefined);
  usePageCommand(
    'extraLikes',
    isShown && mayOrder ? () => document.getElementById(fieldId)?.focus() : undefined,
  );
  if (!isShown || !mayOrder) return null;

  const intent = manyLikes(chosen.length, typed, user?.credits ?? 0);
  const canSpend = user?.canSpendCredits ?? false;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (intent.kind !== 'ready' || !canSpend) return;
    dialogs.open({ kind: 'many_likes', posts: chosen, likes: intent.each, onOrdered: clear });
  };
  return (
    <form
      className={styles['bar']}
      data-foot-bar
      aria-label="Extra likes for the selected posts"
      onSubmit={submit}
      noValidate
    >
      <strong className="tabular-nums whitespace-nowrap">{postsInWords(chosen.length)}</strong>
      <div className="inline-flex items-center gap-2 whitespace-nowrap">
        <TextInput
          id={fieldId}
          className={styles['field'] ?? ''}
          aria-label="Likes for each post"
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value.trim())}
        />
        likes each
      </div>
      <p className={styles['total']} role="status">
        {canSpend ? totalInWords(intent) : BONUS_WAITS}
      </p>
      <Button type="submit" disabled={intent.kind !== 'ready' || !canSpend}>
        Send extra likes
      </Button>
      <button type="button" className={styles['clear']} onClick={clear}>
        <CloseIcon />
        <span className="visually-hidden">Clear selection</span>
      </button>
    </form>
  );
}

function totalInWords(intent: ReturnType<typeof manyLikes>): string {
  if (intent.kind === 'not_yet') return intent.sentence;
  return `${figure(intent.total)} credits, ${figure(intent.left)} left after this`;
}

/** @param typed the likes for each post, as they stand in the field */
export function manyLikes(posts: number, typed: string, credits: number): ManyLikes {
  const notYet = (sentence: string): ManyLikes => ({ kind: 'not_yet', sentence });
  if (posts > MANY_POSTS_MAX) return notYet(`Select up to ${MANY_POSTS_MAX} posts.`);
  if (!/^\d{0,9}$/.test(typed)) return notYet('Please enter a whole number.');
  const each = Number(typed);
  if (each < EXTRA_LIKES_MIN) return notYet(`At least ${EXTRA_LIKES_MIN} likes each.`);
  const total = posts * each;
  if (total > credits) {
    return notYet(`That’s ${figure(total)} credits. You have ${figure(credits)}.`);
  }
  return { kind: 'ready', each, total, left: credits - total };
}
