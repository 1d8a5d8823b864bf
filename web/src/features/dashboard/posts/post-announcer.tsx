import { useEffect, useRef, useState } from 'react';
import type { Post } from '#shared/contract/post.ts';
import { announcements } from './announcements.ts';

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
