import type { Post } from '#shared/contract/post.ts';
import { DialogFrame } from '#web/components/dialog-frame.tsx';

export function ExtraLikesDialog({ post }: { post: Post }) {
  return <DialogFrame title="Send extra likes">{post.shortcode}</DialogFrame>;
}
