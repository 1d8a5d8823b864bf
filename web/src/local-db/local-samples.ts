import type { LocalDatabase } from './local-database.ts';

/** What a post's likes were at one moment, as this device saw them. */
export interface LikeSample {
  /** Milliseconds since the epoch. */
  atMs: number;
  /** Null while the owner hides likes. */
  organic: number | null;
  delivered: number;
}

/** A chart is a few hundred pixels wide: more points can't be seen. */
const SAMPLES_MOST = 120;

/** The samples of a post, oldest first. */
export async function listLikeSamples(db: LocalDatabase, postId: string): Promise<LikeSample[]> {
  return (await readSamples(db, postId)) ?? [];
}

/** Adds a sample unless it says what the last one says; every other old one goes when there are too many. */
export async function addLikeSample(
  db: LocalDatabase,
  postId: string,
  sample: LikeSample,
): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const before = (await readSamples(db, postId)) ?? [];
    const last = before.at(-1);
    if (last?.organic === sample.organic && last.delivered === sample.delivered) return;
    await db.meta.put({ key: keyOf(postId), value: thinned([...before, sample]) });
  });
}

function thinned(samples: readonly LikeSample[]): readonly LikeSample[] {
  if (samples.length <= SAMPLES_MOST) return samples;
  const isKept = (index: number): boolean => index % 2 === 0 || index === samples.length - 1;
  return samples.filter((_, index) => isKept(index));
}

const keyOf = (postId: string): string => `like-samples:${postId}`;

async function readSamples(db: LocalDatabase, postId: string): Promise<LikeSample[] | undefined> {
  // Written by `addLikeSample` only.
  return (await db.meta.get(keyOf(postId)))?.value as LikeSample[] | undefined;
}
