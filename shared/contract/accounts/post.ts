import * as v from 'valibot';
import { AUTOMATIC_OUTCOMES } from '../../domain/delivery/automatic-likes.ts';
import { ORDER_STATES } from '../../domain/delivery/order-state.ts';
import { defineCall } from '../call.ts';
import { askedInstant, igId, instant, postId, wholeNumber } from '../fields.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const MEDIA_TYPES = ['IMAGE', 'VIDEO', 'CAROUSEL_ALBUM'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** A post node (S§3), with what this product knows about its likes beside it. */
export const Post = v.object({
  id: v.string(),
  igId: v.string(),
  shortcode: v.string(),
  /** `/proxy/...`; `?w=160|320|640` for smaller ones. */
  display_url: v.string(),
  /**
   * All likes, as last read and with what was delivered since; null when the owner hides likes. It is organic
   * plus delivered, plus what other customers' orders delivered, minus what the network lost (`likeCounts`).
   */
  edge_media_preview_like: v.object({ count: v.nullable(count) }),
  edge_media_to_comment: v.object({ count }),
  /** Credit likes ordered minus returned. */
  totalLikesPurchased: count,
  /** Automatic likes delivered so far, bonus included. */
  automaticLikes: count,
  /** Likes delivered by us, of any kind. */
  deliveredLikes: count,
  /**
   * Likes that no order gave; never falls because we deliver. Null when hidden, and for who has never had a
   * plan, an order or a proof of ownership for the account.
   */
  organicLikes: v.nullable(count),
  mediaType: v.picklist(MEDIA_TYPES),
  caption: v.string(),
  permalink: v.string(),
  takenAt: instant,
  detectedAt: v.nullable(instant),
  deletedAt: v.nullable(instant),
  automaticOutcome: v.picklist(AUTOMATIC_OUTCOMES),
  /** The newest order of the post, or null. */
  order: v.nullable(
    v.object({
      id: v.string(),
      state: v.picklist(ORDER_STATES),
      /** Likes to deliver, bonus included. */
      target: count,
      /** Of `target`: free, on top of what was ordered. */
      bonus: count,
      delivered: count,
    }),
  ),
});
export type Post = v.InferOutput<typeof Post>;

export const getPosts = defineCall({
  method: 'GET',
  path: '/user/instagram/getPostsByIgId',
  encoding: 'query',
  session: 'required',
  summary:
    'The newest posts of a connected account (100, or `limit` up to 500, older than `before`).',
  input: v.object({
    igId,
    limit: v.optional(
      v.pipe(
        wholeNumber('Please ask for 1 to 500 posts'),
        v.minValue(1, 'Please ask for 1 to 500 posts'),
        v.maxValue(500, 'Please ask for 1 to 500 posts'),
      ),
      100,
    ),
    before: v.optional(askedInstant),
    /** The post of that moment the page before ended with: its neighbours of the same second follow. */
    beforeId: v.optional(postId),
  }),
  data: v.object({
    items: v.array(Post),
    /** When the network was last read for this account; null when never. */
    readAt: v.nullable(instant),
  }),
  errors: [
    'not_yours',
    'account_unreadable',
    'network_throttled',
    'network_unreachable',
    'rate_limited',
  ],
});
