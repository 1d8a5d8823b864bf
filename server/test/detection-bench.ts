import type { Insertable } from 'kysely';
import type { NetworkAccount } from '#server/adapters/graph/social-network.ts';
import { startWatching } from '#server/features/accounts/account-watch.repository.ts';
import type { SubscriptionTable } from '#server/features/billing/subscription.table.ts';
import { type DetectionDeps, Detector } from '#server/features/detection/detector.ts';
import type { LikeOrderRow } from '#server/features/orders/like-order.repository.ts';
import type { PostRow } from '#server/features/posts/post.repository.ts';
import { type Customer, plantCustomer } from './order-fixture.ts';

const LOOK_EVERY_MS = 20_000;

type BenchDeps = DetectionDeps & { clock: { advance(byMs: number): void } };

/** Customers whose accounts are watched, and detection one round at a time. */
export class DetectionBench {
  readonly deps: BenchDeps;
  #detector: Detector;

  constructor(deps: BenchDeps) {
    this.deps = deps;
    this.#detector = new Detector(deps);
  }

  /** A paying customer of an account on the network, whose next look is due. */
  async watch(
    account: Pick<NetworkAccount, 'igId' | 'username'>,
    subscription: Partial<Insertable<SubscriptionTable>> = {},
  ): Promise<Customer> {
    const { igId, username: igUsername } = account;
    const customer = await plantCustomer(this.deps, { igId, igUsername }, subscription);
    const now = new Date(this.deps.clock.now());
    await this.deps.database.transaction((tx) =>
      startWatching(tx, { ...customer, igUsername, now }),
    );
    return customer;
  }

  /** Takes the looks that are due now and stores what they saw. */
  async look(detector?: Detector): Promise<void> {
    const looking = detector ?? this.#detector;
    await looking.round(new AbortController().signal);
    await looking.settled();
  }

  /** The same after the time has passed in which every account is looked at. */
  async lookLater(byMs = LOOK_EVERY_MS): Promise<void> {
    this.deps.clock.advance(byMs);
    await this.look();
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

  async watchRow({ accountId }: Customer) {
    return this.deps.database.db
      .selectFrom('account_watch')
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
    this.#detector = new Detector(this.deps);
    const { db } = this.deps.database;
    for (const table of ['like_order', 'post', 'subscription', 'graph_bucket'] as const) {
      await db.deleteFrom(table).execute();
    }
    await db.deleteFrom('account_watch').execute();
    await db.deleteFrom('account').execute();
  }
}
