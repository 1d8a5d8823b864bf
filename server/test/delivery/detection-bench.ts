import type { Insertable } from 'kysely';
import type { NetworkAccount } from '#server/adapters/graph/social-network.ts';
import { startPolling } from '#server/network/accounts/poll-schedule.repository.ts';
import type { SubscriptionTable } from '#server/kit/db/tables/subscription.table.ts';
import { type OrderDeps, servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { type DetectionDeps, Detector } from '#server/network/detection/detector.ts';
import type { LikeOrderRow } from '#server/delivery/orders/like-order.repository.ts';
import type { PostRow } from '#server/network/posts/post.repository.ts';
import { type Customer, plantCustomer } from './order-fixture.ts';

const POLL_EVERY_MS = 20_000;

type BenchDeps = DetectionDeps & OrderDeps & { clock: { advance(byMs: number): void } };

/** Customers whose accounts are polled, and detection one round at a time. */
export class DetectionBench {
  readonly deps: BenchDeps;
  #detector: Detector;

  constructor(deps: BenchDeps) {
    this.deps = deps;
    this.#detector = new Detector(deps, servePosts(deps));
  }

  /** A paying customer of an account on the network, whose next poll is due. */
  async schedule(
    account: Pick<NetworkAccount, 'igId' | 'username'>,
    subscription: Partial<Insertable<SubscriptionTable>> = {},
  ): Promise<Customer> {
    const { igId, username: igUsername } = account;
    const customer = await plantCustomer(this.deps, { igId, igUsername }, subscription);
    const now = new Date(this.deps.clock.now());
    await this.deps.database.transaction((tx) =>
      startPolling(tx, { ...customer, igUsername, now }),
    );
    return customer;
  }

  /** Takes the polls that are due now and stores what they saw. */
  async poll(detector?: Detector): Promise<void> {
    const polling = detector ?? this.#detector;
    await polling.round(new AbortController().signal);
    await polling.settled();
  }

  /** The same after the time has passed in which every account is polled. */
  async pollLater(byMs = POLL_EVERY_MS): Promise<void> {
    this.deps.clock.advance(byMs);
    await this.poll();
  }

  async posts({ accountId }: Customer): Promise<PostRow[]> {
    return this.deps.database.db
      .selectFrom('post')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('taken_at')
      .orderBy('id')
      .execute();
  }

  async post(customer: Customer, id: string): Promise<PostRow> {
    const found = (await this.posts(customer)).find((post) => post.id === id);
    if (!found) throw new Error(`The post ${id} isn't stored`);
    return found;
  }

  async outcomes(customer: Customer): Promise<string[]> {
    return (await this.posts(customer)).map((post) => post.automatic_outcome);
  }

  async orders({ accountId }: Customer): Promise<LikeOrderRow[]> {
    return this.deps.database.db
      .selectFrom('like_order')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('local_day')
      .orderBy('slot')
      .execute();
  }

  async account({ accountId }: Customer) {
    return this.deps.database.db
      .selectFrom('account')
      .selectAll()
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
  }

  async scheduleRow({ accountId }: Customer) {
    return this.deps.database.db
      .selectFrom('poll_schedule')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
  }

  async bucket(bucketId: string) {
    return this.deps.database.db
      .selectFrom('graph_bucket')
      .selectAll()
      .where('bucket_id', '=', bucketId)
      .executeTakeFirstOrThrow();
  }

  /** Takes all customers, and what is known of the allowance, away. */
  async clear(): Promise<void> {
    this.#detector = new Detector(this.deps, servePosts(this.deps));
    const { db } = this.deps.database;
    for (const table of ['like_order', 'post', 'subscription', 'graph_bucket'] as const) {
      await db.deleteFrom(table).execute();
    }
    await db.deleteFrom('poll_schedule').execute();
    await db.deleteFrom('account').execute();
  }
}
