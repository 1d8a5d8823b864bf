import { useEffect, useRef } from 'react';
import type { Post } from '#shared/contract/post.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { addLikeSamples } from '#web/replica/queries/samples.ts';
import { useServices } from '#web/platform/services.ts';
import { postsToSample } from './sampled-posts.ts';

/** Keeps how the likes of the posts change while this device watches: the history of their charts. */
export function useLikeSamples(posts: readonly Post[] | undefined): void {
  const { db } = useCustomer();
  const { platform } = useServices();
  const before = useRef<readonly Post[]>(undefined);
  useEffect(() => {
    if (!posts) return;
    const changed = postsToSample(before.current, posts);
    before.current = posts;
    if (changed.length === 0) return;
    const atMs = platform.now();
    const samples = changed.map(
      ({ id, organicLikes, deliveredLikes }) =>
        [id, { atMs, organic: organicLikes, delivered: deliveredLikes }] as const,
    );
    addLikeSamples(db, new Map(samples)).catch((error: unknown) =>
      platform.report('The history of likes could not be kept', error),
    );
  }, [db, platform, posts]);
}
