import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Post } from '#shared/contract/post.ts';
import { DialogFrame } from '#web/components/dialog-frame.tsx';
import parts from '#web/components/dialog-parts.module.css';
import { FormProblem } from '#web/components/form-problem.tsx';
import { figure, postsInWords } from '#web/components/figures.ts';
import { PriceRows } from '#web/components/price-rows.tsx';
import { useReachable } from '#web/components/use-reachable.ts';
import { useDialogs } from '#web/platform/dialogs.ts';
import { useClientState } from '#web/platform/services.ts';
import { useOrderManyLikes } from './order-many-likes.ts';

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
