import { DAY_MS } from '#shared/domain/durations.ts';
import { servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { Detector } from '#server/network/detection/detector.ts';
import type { Shopper } from '../checkout-fixture.ts';
import type { TestDeps } from '../test-deps.ts';

/** Customers' posts, and polls their accounts when a test wants one. */
export class Posting {
  readonly #deps: TestDeps;
  readonly #detector: Detector;

  constructor(deps: TestDeps) {
    this.#deps = deps;
    this.#detector = new Detector(deps, servePosts(deps));
  }

  /** Makes posts, now. */
  post({ igUsername }: Pick<Shopper, 'igUsername'>, count = 1): void {
    for (let n = 0; n < count; n += 1) this.#deps.network.addPost(igUsername);
  }

  /** Reads a shopper's account once, if it is polled. */
  async poll({ session, accountId }: Pick<Shopper, 'session' | 'accountId'>): Promise<void> {
    const { database, clock } = this.#deps;
    await database.db
      .updateTable('poll_schedule')
      .set({ next_poll_at: new Date(clock.now() + 365 * DAY_MS) })
      .execute();
    await database.db
      .updateTable('poll_schedule')
      .set({ next_poll_at: new Date(clock.now()) })
      .where('workspace_id', '=', session.workspaceId)
      .where('account_id', '=', accountId)
      .execute();
    const { signal } = new AbortController();
    while ((await this.#detector.round(signal)) === 'again') continue;
    await this.#detector.settled();
  }

  /** Local days of a shopper's automatic orders, oldest first. */
  async orderedDays({ session }: Pick<Shopper, 'session'>): Promise<string[]> {
    const rows = await this.#deps.database.db
      .selectFrom('like_order')
      .select('local_day')
      .where('workspace_id', '=', session.workspaceId)
      .where('kind', '=', 'automatic')
      .orderBy('local_day')
      .orderBy('slot')
      .execute();
    return rows.map(({ local_day: day }) => day ?? '');
  }
}
