import type { Post } from '#shared/contract/post.ts';

/** The posts whose likes are not those of before, or that were not there before. */
export function postsToSample(
  before: readonly Post[] | undefined,
  after: readonly Post[],
): readonly Post[] {
  const known = new Map(before?.map((post) => [post.id, post]));
  return after.filter((post) => {
    const earlier = known.get(post.id);
    return (
      earlier?.organicLikes !== post.organicLikes || earlier.deliveredLikes !== post.deliveredLikes
    );
  });
}
