/** Extra likes for one post. */
export interface LikesWish {
  igId: string;
  igUsername: string;
  postId: string;
  shortCode: string;
  caption: string;
  likes: number;
  /** When the post was made, in words: posts without a caption are told apart by it. */
  postedAtInWords: string;
}

const CAPTION_LETTERS = 40;

/** An order in the customer's words. */
export function likesTitle({ likes, caption, igUsername, postedAtInWords }: LikesWish): string {
  const letters = Array.from(caption.trim());
  const cut = letters.length > CAPTION_LETTERS ? '…' : '';
  const post =
    letters.length > 0 ? `“${letters.slice(0, CAPTION_LETTERS).join('')}${cut}”` : 'a post';
  return `${likes.toLocaleString('en-US')} extra likes for ${post} of @${igUsername}, posted ${postedAtInWords}`;
}
