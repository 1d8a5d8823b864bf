import { sql } from 'kysely';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { Shopper } from '../checkout-fixture.ts';
import { countChange, likePost, type LogPlay, OnPurpose, POSTS_OF_EACH } from './log-play.ts';

/** A change by one of the writers, in some of the workspaces; a few are statements outside of a transaction. */
export async function write(play: LogPlay, writer: number, nr: number): Promise<void> {
  const { deps, random } = play;
  const some = shuffled(play.shoppers, random).slice(0, 1 + Math.floor(random() * 3));
  // Never a value that is there already: that would be no change.
  const value = (writer + 1) * 1_000_000 + nr * 100;
  const isAlone = random() < 0.15;
  const givesUp = random() < 0.1;
  if (isAlone) {
    const post = writer * POSTS_OF_EACH + nr;
    await countChange(play, some.slice(0, 1), () =>
      likePost(deps.database.db, some[0], { post, value }),
    );
    return;
  }
  await countChange(play, some, (begin) =>
    deps.database.transaction(async (tx) => {
      begin();
      await changeAndUndo(tx, play, { writer, value });
      await change(tx, some, { writer, value, random });
      if (givesUp) throw new OnPurpose();
    }),
  );
}

/** Changes some of the writer's posts in each workspace, slowly; now and then one goes or comes. */
async function change(
  db: Db,
  shoppers: readonly Shopper[],
  { writer, value, random }: { writer: number; value: number; random: () => number },
): Promise<void> {
  for (const [at, shopper] of shoppers.entries()) {
    const post = writer * POSTS_OF_EACH + Math.floor(random() * POSTS_OF_EACH);
    await likePost(db, shopper, { post, value: value + at });
    if (random() < 0.5) await sql`select pg_sleep(${random() * 0.003})`.execute(db);
    if (random() >= 0.1) continue;
    await db
      .deleteFrom('post')
      .where('workspace_id', '=', shopper.session.workspaceId)
      .where('id', '=', String(post))
      .execute();
  }
}

async function changeAndUndo(
  tx: Tx,
  { shoppers, random }: LogPlay,
  { writer, value }: { writer: number; value: number },
): Promise<void> {
  if (random() < 0.8) return;
  await sql`savepoint undone`.execute(tx);
  await change(tx, shuffled(shoppers, random).slice(0, 2), { writer, value: value + 50, random });
  await sql`rollback to savepoint undone`.execute(tx);
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
