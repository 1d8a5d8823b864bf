import type { Generated } from 'kysely';
import type { MediaType } from '#shared/contract/accounts/post.ts';
import type { AutomaticOutcome } from '#shared/domain/delivery/automatic-likes.ts';
import type { AccountId, PostId, WorkspaceId } from '#shared/domain/ids.ts';

/** A post of a connected account; `id` is the network's. */
export interface PostTable {
  workspace_id: WorkspaceId;
  account_id: AccountId;
  id: PostId;
  shortcode: string;
  media_type: MediaType;
  caption: string;
  permalink: string;
  /** The network's signed address; it expires and is read again. */
  image_url: string | null;
  taken_at: Date;
  /**
   * Its place in the network's list when it was first read, 0 the newest. The network's times are whole
   * seconds and its ids say nothing of time, so of posts of one second only this tells the older.
   */
  list_position: Generated<number>;
  /** The network's count, as last read; null when the owner hides likes. */
  like_count: number | null;
  /** The organic ones of `like_count` (LikePair); null: all, because nobody ever ordered likes for it. */
  organic_likes: Generated<number | null>;
  /** Likes that were there and are gone (LikePair). */
  lost_likes: Generated<number>;
  /** When `like_count` was read, while more can be learnt of it; null: it has told all it can. */
  open_reading_at: Generated<Date | null>;
  comment_count: number;
  /** When a poll first saw it; null for posts imported with the history. */
  detected_at: Date | null;
  /** Polls in a row that should have seen it and didn't. */
  missing_polls: Generated<number>;
  deleted_at: Date | null;
  automatic_outcome: AutomaticOutcome;
}
