import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import { giveServiceCredit } from '#server/money/service-credit/service-credit.job.ts';
import { beat } from '#server/network/detection/service-clock.repository.ts';
import { setProblem } from '#server/network/accounts/reading.repository.ts';
import type { Shopper } from '../checkout-fixture.ts';
import type { TestDeps } from '../test-deps.ts';

/** Time that passes with the service at work, and accounts that can't be read in it. */
export function servedTime(getDeps: () => TestDeps) {
  async function tick(): Promise<void> {
    await beat(getDeps().database, new Date(getDeps().clock.now()));
    await giveServiceCredit(getDeps());
  }

  /** Lets hours pass with the service at work. */
  async function work(hours: number): Promise<void> {
    getDeps().clock.advance(hours * HOUR_MS);
    await getDeps()
      .database.db.updateTable('service_clock')
      .set({ beat_at: new Date(getDeps().clock.now()) })
      .execute();
    await giveServiceCredit(getDeps());
  }

  /** To a later time, the service having worked all along. */
  async function jumpTo(instant: Date): Promise<void> {
    getDeps().clock.set(instant.toISOString());
    await getDeps()
      .database.db.updateTable('service_clock')
      .set({ beat_at: instant, closed_until: instant })
      .execute();
  }

  /** To the next midnight UTC, and on until the day has been judged. */
  async function endOfDay(): Promise<void> {
    const restMs = DAY_MS - (getDeps().clock.now() % DAY_MS);
    await work(restMs / HOUR_MS + 1);
    await readAll();
  }

  /** Every account is read now, complete. */
  async function readAll(): Promise<void> {
    await getDeps()
      .database.db.updateTable('account')
      .set({ last_read_at: new Date(getDeps().clock.now() + 1000) })
      .execute();
    await giveServiceCredit(getDeps());
  }

  async function hide(
    shoppers: Shopper | readonly Shopper[],
    problem: 'unreadable' | 'unreachable' | 'throttled' | null,
  ): Promise<void> {
    const { db } = getDeps().database;
    for (const { session, accountId } of [shoppers].flat()) {
      const { workspaceId } = session;
      if (problem) {
        const now = new Date(getDeps().clock.now());
        await setProblem(db, { workspaceId, accountId, problem, now });
      } else {
        await db
          .updateTable('account')
          .set({ problem: null })
          .where('workspace_id', '=', workspaceId)
          .execute();
      }
    }
    await tick();
  }

  return { tick, work, jumpTo, endOfDay, readAll, hide };
}
