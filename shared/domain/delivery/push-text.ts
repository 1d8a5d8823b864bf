/** What a browser shows when likes are done; `path`: the page that a click opens. */
export interface PushText {
  title: string;
  body: string;
  path: string;
}

/** Says no more than whose likes are done and how many: notifications are read over shoulders. */
export function pushText(done: {
  igUsernames: readonly string[];
  posts: number;
  delivered: number;
  postId: string;
}): PushText {
  const [first = '', ...others] = done.igUsernames;
  const whom = others.length === 0 ? `@${first}` : `${done.igUsernames.length} accounts`;
  return {
    // As the page's own notice: a browser that has both shows one.
    title: `Likes delivered: ${whom}`,
    body: `${done.delivered.toLocaleString('en-US')} likes delivered for ${whom}`,
    path:
      done.posts === 1 ? `/dashboard?${new URLSearchParams({ post: done.postId })}` : '/dashboard',
  };
}
