import { useEffect, useRef, useState } from 'react';
import type { Post } from '#shared/contract/accounts/post.ts';
import { postSentence } from '../grid/post-sentence.ts';

/** Reads new posts and the progress of likes out to those who can't see them appear. */
export function PostAnnouncer({ posts }: { posts: readonly Post[] | undefined }) {
  const before = useRef(posts);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!posts) return;
    const news = announcements(before.current, posts);
    before.current = posts;
    if (news.length > 0) setSaid(news.join(' '));
  }, [posts]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {said}
    </p>
  );
}

/** Progress is read out in quarters: each batch would drown out everything else. */
const STEPS = 4;

/** What a screen reader is told when the posts have changed; nothing when there were none before. */
export function announcements(
  before: readonly Post[] | undefined,
  after: readonly Post[],
): string[] {
  if (!before) return [];
  const known = new Map(before.map((post) => [post.id, post]));
  const newest = before[0]?.takenAt ?? '';
  const said = after.flatMap((post) => {
    const earlier = known.get(post.id);
    // Older posts that are only now read here are no news.
    if (!earlier) return post.takenAt >= newest ? [`New post. ${postSentence(post)}`] : [];
    return milestone(earlier) === milestone(post) ? [] : [`${nameOf(post)}: ${postSentence(post)}`];
  });
  return said;
}

function milestone(post: Post): string {
  const { order } = post;
  if (!order) return post.automaticOutcome;
  const quarter = order.target === 0 ? 0 : Math.floor((order.delivered / order.target) * STEPS);
  return `${order.state} ${quarter}`;
}

function nameOf(post: Post): string {
  const caption = post.caption.slice(0, 40).trim();
  return caption === '' ? 'Post' : caption;
}
