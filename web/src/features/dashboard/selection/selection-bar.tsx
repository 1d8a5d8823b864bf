import { Button, TextInput } from '@mantine/core';
import { useId, useState, type FormEvent } from 'react';
import { BONUS_WAITS, EXTRA_LIKES_MIN } from '#shared/domain/credit-packages.ts';
import { CloseIcon } from '#web/components/icons.tsx';
import { figure, postsInWords } from '#web/components/figures.ts';
import { manyLikes } from '#web/components/many-likes.ts';
import { usePageCommand } from '#web/components/page-commands.ts';
import { useDialogs } from '#web/platform/dialogs.ts';
import { useClientState } from '#web/platform/services.ts';
import styles from './selection-bar.module.css';
import type { PostSelection } from './use-post-selection.ts';

/** At the foot while posts are chosen: how many likes each, what that comes to, and the way to order. */
export function SelectionBar({ chosen, clear }: Pick<PostSelection, 'chosen' | 'clear'>) {
  const dialogs = useDialogs();
  const user = useClientState((state) => state.user);
  const [typed, setTyped] = useState(String(EXTRA_LIKES_MIN));
  const fieldId = useId();
  const isShown = chosen.length > 0;
  usePageCommand('back', isShown ? clear : undefined);
  usePageCommand(
    'extraLikes',
    isShown ? () => document.getElementById(fieldId)?.focus() : undefined,
  );
  if (!isShown) return null;

  const wish = manyLikes(chosen.length, typed, user?.credits ?? 0);
  const canSpend = user?.canSpendCredits ?? false;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (wish.kind !== 'ready' || !canSpend) return;
    dialogs.open({ kind: 'many_likes', posts: chosen, likes: wish.each, onOrdered: clear });
  };
  return (
    <form
      className={styles['bar']}
      data-foot-bar
      aria-label="Extra likes for the selected posts"
      onSubmit={submit}
      noValidate
    >
      <strong className={styles['count']}>{postsInWords(chosen.length)}</strong>
      <div className={styles['each']}>
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
        {canSpend ? totalInWords(wish) : BONUS_WAITS}
      </p>
      <Button type="submit" disabled={wish.kind !== 'ready' || !canSpend}>
        Send extra likes
      </Button>
      <button type="button" className={styles['clear']} onClick={clear}>
        <CloseIcon />
        <span className="visually-hidden">Clear selection</span>
      </button>
    </form>
  );
}

function totalInWords(wish: ReturnType<typeof manyLikes>): string {
  if (wish.kind === 'not_yet') return wish.sentence;
  return `${figure(wish.total)} credits, ${figure(wish.left)} left after this`;
}
