import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Post } from '#shared/contract/accounts/post.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { figure, postsInWords } from '#web/ui/words/figures.ts';
import { PriceRows } from '#web/payments/price-rows.tsx';
import { useReachable } from '#web/customer/use-reachable.ts';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { intentFor } from './order-likes.ts';

/** Asks once before likes are ordered for many posts; they can be undone for some seconds after it. */
export function ManyLikesDialog({
  posts,
  likes,
  onOrdered,
}: {
  posts: readonly Post[];
  /** For each of them. */
  likes: number;
  onOrdered: () => void;
}) {
  const dialogs = useDialogs();
  const orderManyLikes = useOrderManyLikes();
  const credits = useClientState((state) => state.user?.credits ?? 0);
  const isReachable = useReachable();
  const [problem, setProblem] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const total = posts.length * likes;

  const send = async (): Promise<void> => {
    if (isSending) return;
    setIsSending(true);
    const refusal = await orderManyLikes(posts, likes);
    setIsSending(false);
    setProblem(refusal);
    if (refusal !== undefined) return;
    onOrdered();
    dialogs.close();
  };
  return (
    <DialogFrame title={`Send ${figure(total)} likes?`}>
      <PriceRows
        rows={[
          { label: 'Posts', value: figure(posts.length) },
          { label: 'Likes each', value: figure(likes) },
          { label: 'Left after this', value: `${figure(credits - total)} credits` },
          { label: 'Total', value: `${figure(total)} credits`, isTotal: true },
        ]}
      />
      <p className={parts['note']}>
        {isReachable
          ? 'We wait 10 seconds before sending anything. Until then, you can undo it.'
          : 'We can’t reach the server. Your orders wait on this device, and you can discard them until they’re sent.'}
      </p>
      <FormProblem sentence={problem} />
      <div className={parts['actions']}>
        <Button data-autofocus loading={isSending} onClick={() => void send()}>
          Send to {postsInWords(posts.length)}
        </Button>
        <Button variant="default" onClick={dialogs.close}>
          Cancel
        </Button>
      </div>
    </DialogFrame>
  );
}

const NOT_KEPT =
  'This device couldn’t save the orders, so nothing was ordered. Free up some space and try again.';

/** Orders likes for each of many posts, all or none; resolves to why nothing was ordered. */
function useOrderManyLikes(): (
  posts: readonly Post[],
  likes: number,
) => Promise<string | undefined> {
  const { state, platform } = useServices();
  const { changes } = useCustomer();
  return async (posts, likes) => {
    const { connectedAccounts } = state.getState();
    const intents = posts.flatMap(
      (post) => intentFor(post, likes, connectedAccounts, platform.timeZone()) ?? [],
    );
    if (intents.length < posts.length)
      return 'One of these posts belongs to an account that’s no longer connected.';
    try {
      const ordered = await changes.orderManyLikes(intents);
      return ordered.kind === 'refused' ? ordered.message : undefined;
    } catch (error) {
      platform.report('Orders could not be queued', error);
      return NOT_KEPT;
    }
  };
}
