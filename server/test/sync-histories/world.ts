import { sql } from 'kysely';
import { cleanScope } from '#server/replica/clean-up.repository.ts';
import { beginEpoch } from '#server/replica/epoch.repository.ts';
import { type ScopeOwner, scopesOfMember, type ScopesOf } from '#server/replica/scope-owner.ts';
import type { Db } from '#server/kit/db/database.ts';
import { type Scope, scopeOf } from '#shared/contract/scope.ts';
import { giveCredits } from '../money/credits-fixture.ts';
import { plantPost } from '../delivery/order-fixture.ts';
import { startSyncServer, type SyncServer } from '../calls/sync-server.ts';
import type { StreamTally } from './stream-tally.ts';

export type Customer = Awaited<ReturnType<SyncServer['signIn']>>;

const CREDITS = 100_000;
const POSTS = 30;

/** The real server with its customers, and what happens there beside what the devices do. */
export interface World {
  server: SyncServer;
  customers: Customer[];
  /** Scopes that their owner may not see at the moment. */
  hidden: Set<Scope>;
  /** What the devices' streams brought. */
  streams: StreamTally;
}

export async function startWorld(customers: number): Promise<World> {
  const hidden = new Set<Scope>();
  const scopesOf: ScopesOf = async (session) =>
    (await scopesOfMember(server.deps)(session)).filter(({ scope }) => !hidden.has(scope));
  const server = await startSyncServer({ scopesOf });
  const world: World = {
    server,
    customers: [],
    hidden,
    streams: { applied: 0, lost: 0, doubled: 0 },
  };
  for (let nr = 0; nr < customers; nr += 1) {
    const customer = await server.signIn(`history.${nr}`);
    await giveCredits(server.deps, customer.workspaceId, CREDITS);
    world.customers.push(customer);
  }
  return world;
}

/** Something that happens to one customer, in one transaction or several. */
export async function happen(
  world: World,
  customer: Customer,
  random: () => number,
): Promise<void> {
  const { deps } = world.server;
  const below = (end: number): number => Math.floor(random() * end);
  const { workspaceId, accountId } = customer;
  const dice = random();
  if (dice < 0.05) return collect(world, ownersOf(customer)[below(3)]);
  if (dice < 0.08) return putBack(world, customer);
  if (dice < 0.14) return hideOrShow(world, ownersOf(customer)[below(3)]);
  await deps.database.transaction(async (tx) => {
    for (let times = 1 + below(4); times > 0; times -= 1) {
      await change(tx, { workspaceId, accountId, post: String(200 + below(POSTS)), random });
    }
  });
  if (random() < 0.2) {
    const id = String(200 + below(POSTS));
    const at = new Date(deps.clock.now() - below(1000) * 60_000);
    const post = { id, taken_at: at, automatic_outcome: 'switched_off' } as const;
    await plantPost(deps, { ...customer, subscriptionId: '' }, post).catch(() => undefined);
  }
}

/** A change that is surely seen: of one post, so that the next one doesn't make up for its loss. */
export async function stir(
  { server }: World,
  { workspaceId }: Customer,
  random: () => number,
): Promise<void> {
  const [likes, place] = [Math.floor(random() * 1e9), random()];
  await server.deps.database.transaction((tx) =>
    sql`update post set like_count = ${likes} where workspace_id = ${workspaceId} and id = (
      select id from post where workspace_id = ${workspaceId} order by id limit 1
      offset floor(${place}::float8 * (select count(*) from post
        where workspace_id = ${workspaceId}))::bigint)`.execute(tx),
  );
}

async function change(
  db: Db,
  {
    workspaceId,
    accountId,
    post,
    random,
  }: {
    workspaceId: string;
    accountId: string;
    post: string;
    random: () => number;
  },
): Promise<void> {
  const value = Math.floor(random() * 1_000_000);
  const statements = [
    sql`update post set like_count = ${value} where workspace_id = ${workspaceId}`,
    sql`update post set caption = ${'c'.repeat(value % 2000)} where workspace_id = ${workspaceId}
      and id = ${post}`,
    sql`update account set followers = ${value} where workspace_id = ${workspaceId}`,
    sql`update account set ig_username = ${`n${value}`} where workspace_id = ${workspaceId}`,
    sql`update like_order set delivered = delivered + 1 where workspace_id = ${workspaceId}
      and state = 'queued'`,
    sql`delete from post p where workspace_id = ${workspaceId} and account_id = ${accountId}
      and id = ${post} and not exists (select from like_order o
        where o.workspace_id = p.workspace_id and o.post_id = p.id)`,
    sql`update app_user set name = ${`N${value}`} where workspace_id = ${workspaceId}`,
  ];
  await statements[value % statements.length]?.execute(db);
}

export const ownersOf = ({ workspaceId, userId }: Customer): ScopeOwner[] =>
  [scopeOf('w', workspaceId), scopeOf('b', workspaceId), scopeOf('u', userId)].map((scope) => ({
    scope,
    workspaceId,
  }));

/** The clean-up of 45 days later. */
async function collect({ server }: World, owner: ScopeOwner | undefined): Promise<void> {
  const { clock, database } = server.deps;
  const ages = { now: new Date(clock.now()), before: new Date(clock.now() + 1) };
  if (!owner) return;
  await database.transaction((tx) => cleanScope(tx, owner, ages));
  await database.transaction((tx) => cleanScope(tx, owner, ages));
}

/** What an older backup looks like to the replicas: lower versions, and clients it never heard of. */
async function putBack({ server }: World, { workspaceId }: Customer): Promise<void> {
  const { db } = server.deps.database;
  await server.deps.database.transaction(async (tx) => {
    await sql`update sync_head set v = greatest(gc_v, v / 2) where workspace_id = ${workspaceId}`.execute(
      tx,
    );
    await sql`update sync_row r set v = least(r.v, h.v) from sync_head h
      where h.workspace_id = ${workspaceId} and r.workspace_id = h.workspace_id
        and r.scope = h.scope`.execute(tx);
    await tx.deleteFrom('sync_client').where('workspace_id', '=', workspaceId).execute();
  });
  await beginEpoch(db);
}

async function hideOrShow({ hidden }: World, owner: ScopeOwner | undefined): Promise<void> {
  if (owner && !hidden.delete(owner.scope)) hidden.add(owner.scope);
}
