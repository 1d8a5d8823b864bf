import { Button, TextInput } from '@mantine/core';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { useLocal } from '#web/customer/use-local.ts';
import { type FormEvent, useState } from 'react';
import type { Post } from '#shared/contract/accounts/post.ts';
import { BONUS_WAITS, EXTRA_LIKES_MIN } from '#shared/domain/money/credit-packages.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { ProxyImage } from '#web/customer/pictures/proxy-image.tsx';
import { counted } from '#web/ui/words/figures.ts';
import { hideToasts, toastError, toastSuccess } from '#web/ui/toasts/toast.ts';
import { useReachable } from '#web/customer/use-reachable.ts';
import { WaitingLikes } from '#web/customer/pending-changes/waiting-likes.tsx';
import { findLocalPost } from '#web/replica/queries/posts.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import styles from './extra-likes-dialog.module.css';
import { type LikesOutcome, useOrderLikes } from './order-likes.ts';

const NOT_KEPT =
  'This device couldn’t save the order, so nothing was ordered. Free up some space and try again.';
const WILL_WAIT =
  'We can’t reach the server. Your order waits on this device. We’ll check the price, your balance and the post again when it’s sent.';

/** Extra likes for one post, paid with credits (S§2). It starts at 20 each time it opens. */
export function ExtraLikesDialog({ post }: { post: Post }) {
  const { platform } = useServices();
  const dialogs = useDialogs();
  const orderLikes = useOrderLikes(post);
  const user = useClientState((state) => state.user);
  const [amount, setAmount] = useState(String(EXTRA_LIKES_MIN));
  const [problem, setProblem] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const isReachable = useReachable();
  const credits = user?.credits ?? 0;
  const canSpend = user?.canSpendCredits ?? false;
  const likes = likesToSend(amount, credits);

  const takeIn = (outcome: LikesOutcome): void => {
    switch (outcome.kind) {
      case 'ordered':
        toastSuccess(outcome.message);
        dialogs.close();
        return;
      case 'refused':
        toastError('Unable to buy likes');
        setProblem(outcome.sentence);
        return;
      case 'queued':
        dialogs.close();
        return;
      case 'not_kept':
        toastError('Failed to buy likes');
        setProblem(NOT_KEPT);
    }
  };

  const send = async (wanted: number): Promise<void> => {
    hideToasts();
    setIsSending(true);
    setProblem(undefined);
    const outcome = await orderLikes(wanted);
    setIsSending(false);
    takeIn(outcome);
  };

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (likes === undefined || isSending) return;
    send(likes).catch((error: unknown) => platform.report('The order was left', error));
  };

  return (
    <DialogFrame title="Send extra likes">
      <PostHead post={post} />
      <form className={parts['form']} onSubmit={submit} noValidate aria-label="Send extra likes">
        <TextInput
          label="Likes"
          description={`1 like is 1 credit. You have ${counted(credits, 'credit')}.`}
          name="likes"
          inputMode="numeric"
          autoComplete="off"
          data-autofocus
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value.trim())}
        />
        <p className={parts['note']} role="status">
          {canSpend ? amountSentence(amount, credits) : BONUS_WAITS}
        </p>
        {!isReachable && <p className={parts['note']}>{WILL_WAIT}</p>}
        <FormProblem sentence={problem} />
        <div className={parts['actions']}>
          <Button type="submit" loading={isSending} disabled={likes === undefined || !canSpend}>
            Send likes
          </Button>
          <Button variant="default" onClick={() => dialogs.open({ kind: 'buy_credits' })}>
            Buy credits
          </Button>
        </div>
      </form>
    </DialogFrame>
  );
}

/** The post as it is kept now: what was just bought shows at once. */
function PostHead({ post: opened }: { post: Post }) {
  const { db } = useCustomer();
  const post = useLocal(() => findLocalPost(db, opened.id), [db, opened.id]) ?? opened;
  const isVideo = post.mediaType === 'VIDEO';
  return (
    <div className={styles['post']}>
      <div className={styles['picture']}>
        <ProxyImage path={post.display_url} alt="" width={160} isEager />
      </div>
      <div className="grid gap-1 min-w-0">
        <p className="overflow-hidden text-ellipsis whitespace-nowrap font-600" dir="auto">
          {post.caption || post.shortcode}
        </p>
        <p className={parts['note']}>
          {post.totalLikesPurchased.toLocaleString('en-US')} extra likes bought so far
          {isVideo && '. The video gets as many views, free'}.
        </p>
        <WaitingLikes postId={post.id} />
      </div>
    </div>
  );
}

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
  return `${counted(credits - likes, 'credit')} left after this.`;
}
