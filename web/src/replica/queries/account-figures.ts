import { likeCounts, retentionOf } from '#shared/domain/delivery/like-pair.ts';
import type { OrderChange, PostChange } from '#shared/sync/entities.ts';

/** What the posts and orders of some time add up to for an account; summed over parts of that time. */
interface FigureParts {
  /** Posts of the month that weren’t deleted. */
  posts: number;
  /** Likes that orders of the month have delivered. */
  likes: number;
  /** Of posts whose likes are known: delivered, and gone since. */
  delivered: number;
  lost: number;
  /** From the post’s appearance to its detection, ms, of each automatic order. */
  delays: readonly number[];
  /** The newest order that fell short, and why. */
  problem: { atMs: number; sentence: string } | undefined;
}

const NO_PARTS: FigureParts = {
  posts: 0,
  likes: 0,
  delivered: 0,
  lost: 0,
  delays: [],
  problem: undefined,
};

/** Of accounts, by the network’s id. */
export type PartsByAccount = ReadonlyMap<string, FigureParts>;

type FigurePost = Pick<
  PostChange,
  'igId' | 'takenAt' | 'deletedAt' | 'edge_media_preview_like' | 'organicLikes' | 'deliveredLikes'
>;
type FigureOrder = Pick<
  OrderChange,
  'igId' | 'kind' | 'postedAt' | 'detectedAt' | 'finishedAt' | 'delivered' | 'reason'
>;

/** @param monthMs when the month began; what is older counts for the other figures only */
export function partsOf(
  posts: readonly FigurePost[],
  orders: readonly FigureOrder[],
  monthMs: number,
): PartsByAccount {
  const parts = new Map<string, FigureParts>();
  const add = (igId: string, more: Partial<FigureParts>): void => {
    parts.set(igId, added(parts.get(igId) ?? NO_PARTS, { ...NO_PARTS, ...more }));
  };
  for (const post of posts) {
    const isOfMonth = Date.parse(post.takenAt) >= monthMs && post.deletedAt === null;
    add(post.igId, { posts: Number(isOfMonth), ...keptOf(post) });
  }
  for (const order of orders) {
    const atMs = Date.parse(order.detectedAt);
    const problem =
      order.reason === null
        ? undefined
        : { atMs: Date.parse(order.finishedAt ?? '') || atMs, sentence: order.reason };
    add(order.igId, {
      likes: atMs >= monthMs ? order.delivered : 0,
      delays: order.kind === 'automatic' ? [Math.max(0, atMs - Date.parse(order.postedAt))] : [],
      problem,
    });
  }
  return parts;
}

/** Of our likes on a post how many are gone at most; nothing where the network hides its count, or nobody tells us. */
function keptOf(post: FigurePost): Pick<FigureParts, 'delivered' | 'lost'> {
  const { organicLikes: organic, deliveredLikes: delivered, deletedAt } = post;
  const total = post.edge_media_preview_like.count;
  if (organic === null || total === null || delivered === 0 || deletedAt !== null) {
    return { delivered: 0, lost: 0 };
  }
  const { lost } = likeCounts({ total, organic, delivered });
  return { delivered, lost: Math.min(lost, delivered) };
}

function added(a: FigureParts, b: FigureParts): FigureParts {
  const isLater = (b.problem?.atMs ?? -Infinity) > (a.problem?.atMs ?? -Infinity);
  return {
    posts: a.posts + b.posts,
    likes: a.likes + b.likes,
    delivered: a.delivered + b.delivered,
    lost: a.lost + b.lost,
    delays: b.delays.length === 0 ? a.delays : [...a.delays, ...b.delays],
    problem: isLater ? b.problem : a.problem,
  };
}

/** What an account’s posts and orders say of it. */
export interface AccountFigures extends Pick<FigureParts, 'posts' | 'likes' | 'problem'> {
  /** Of likes we have delivered, how many are still there, 0 to 1; null: not known. */
  retention: number | null;
  /** So soon 95 of 100 posts were detected, ms; null: there was none. */
  detectionMs: number | null;
}

/** The figures over all parts. */
export function figuresOf(parts: Iterable<PartsByAccount>): ReadonlyMap<string, AccountFigures> {
  const sums = new Map<string, FigureParts>();
  for (const part of parts) {
    for (const [igId, more] of part) {
      const before = sums.get(igId);
      sums.set(igId, before ? added(before, more) : more);
    }
  }
  const figures = new Map<string, AccountFigures>();
  for (const [igId, { posts, likes, delivered, lost, delays, problem }] of sums) {
    const retention = retentionOf({ delivered, lost });
    figures.set(igId, { posts, likes, problem, retention, detectionMs: p95(delays) });
  }
  return figures;
}

/** The smallest of them that 95 of 100 don’t exceed; null of none. */
function p95(delays: readonly number[]): number | null {
  const sorted = [...delays].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
}

/** Whether they say the same. */
export const isSameFigures = (
  a: AccountFigures | undefined,
  b: AccountFigures | undefined,
): boolean =>
  a === b ||
  (a?.posts === b?.posts &&
    a?.likes === b?.likes &&
    a?.retention === b?.retention &&
    a?.detectionMs === b?.detectionMs &&
    a?.problem?.atMs === b?.problem?.atMs &&
    a?.problem?.sentence === b?.problem?.sentence &&
    (a === undefined) === (b === undefined));

export function areSameFigures(
  a: ReadonlyMap<string, AccountFigures>,
  b: ReadonlyMap<string, AccountFigures>,
): boolean {
  return (
    a.size === b.size && [...a].every(([igId, figures]) => isSameFigures(figures, b.get(igId)))
  );
}
