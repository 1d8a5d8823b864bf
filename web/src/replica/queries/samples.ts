import type { LocalDatabase } from '../store/local-database.ts';
import type { Post } from '#shared/contract/accounts/post.ts';

/** What a post's likes were at one moment, as this device saw them. */
export interface LikeSample {
  /** Milliseconds since the epoch. */
  atMs: number;
  /** Null while the owner hides likes. */
  organic: number | null;
  delivered: number;
}

/** A chart is a few hundred pixels wide: more points can't be seen. */
const SAMPLE_LIMIT = 120;

/** Dexie tells of 50 and more as if every entry had changed, and all that was read is read again. */
const PUT_BATCH = 49;

/** The samples of a post, oldest first. */
export async function listLikeSamples(db: LocalDatabase, postId: string): Promise<LikeSample[]> {
  return samplesIn(await db.meta.get(keyOf(postId)));
}

/** Adds a sample to each of these posts; one that says what the last one says is left out. */
export async function addLikeSamples(
  db: LocalDatabase,
  samples: ReadonlyMap<string, LikeSample>,
): Promise<void> {
  const seen = [...samples];
  await db.transaction('rw', db.meta, async () => {
    const kept = await db.meta.bulkGet(seen.map(([postId]) => keyOf(postId)));
    const grown = seen.flatMap(([postId, sample], nth) => {
      const value = withSample(samplesIn(kept[nth]), sample);
      return value === undefined ? [] : [{ key: keyOf(postId), value }];
    });
    for (let from = 0; from < grown.length; from += PUT_BATCH) {
      await db.meta.bulkPut(grown.slice(from, from + PUT_BATCH));
    }
  });
}

/** With one more; undefined when it tells nothing new. Every other old one goes when there are too many. */
export function withSample(
  before: readonly LikeSample[],
  sample: LikeSample,
): readonly LikeSample[] | undefined {
  const last = before.at(-1);
  if (last?.organic === sample.organic && last.delivered === sample.delivered) return undefined;
  return thinned([...before, sample]);
}

function thinned(samples: readonly LikeSample[]): readonly LikeSample[] {
  if (samples.length <= SAMPLE_LIMIT) return samples;
  const isKept = (index: number): boolean => index % 2 === 0 || index === samples.length - 1;
  return samples.filter((_, index) => isKept(index));
}

const keyOf = (postId: string): string => `like-samples:${postId}`;

function samplesIn(row: { value: unknown } | undefined): LikeSample[] {
  // Written by `addLikeSamples` only.
  return (row?.value as LikeSample[] | undefined) ?? [];
}

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
