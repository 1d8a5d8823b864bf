import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECTION } from '#server/read-model/row-projection.ts';
import { createApp } from '#server/main/app.ts';
import { connect } from '#server/kit/db/connect.ts';
import { scopesOfMember } from '#server/replica/scope-owner.ts';
import { StreamHub } from '#server/replica/stream/stream-hub.service.ts';
import { listen } from '#server/kit/http/listen.ts';
import { systemClock } from '#server/main/system.ts';
import { servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { createDetectionJob } from '#server/network/detection/detection.job.ts';
import { registerCustomer } from '#test/people/customers.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { plantLargeWorkspace } from '#server/main/start/plant-workspace.ts';
import { signInShopper } from '#test/people/signed-in.ts';
import { createTestDeps } from '#test/test-deps.ts';
import { type Asked, CURIOUS_NAMES, type Told } from './doors-node.ts';

/** One node of the product, on an embedded database unless told another, with an attacker who has 3,000 posts, and a victim. */
const [dataDir = '', portText = '', databaseUrl = ''] = process.argv.slice(2);
const place = { databaseUrl: databaseUrl || undefined, dataDir };
const database = await connect(place, () => undefined);
const planting = await createTestDeps({
  clock: new FakeClock(new Date(systemClock.now()).toISOString()),
  database: { ...database, url: undefined },
  settings: { trustedProxies: ['127.0.0.1'] },
});
const DETECTED_AFTER_LIMIT_MS = 60_000;
/** Of the allowance: nearly what look-ups may take, and more with each of them. */
let usagePercent = 45;
const [bucketId = ''] = planting.network.bucketIds;
const network: typeof planting.network = {
  ...planting.network,
  readAccount: (request) => {
    if (CURIOUS_NAMES.includes(request.username)) usagePercent = Math.min(99, usagePercent + 1);
    planting.network.setUsage(bucketId, { percent: usagePercent, regainAfterMs: undefined });
    return planting.network.readAccount(request);
  },
};
const deps = { ...planting, network, clock: systemClock };
const hub = new StreamHub(
  { ...deps, projection: PROJECTION },
  {
    scopesOf: scopesOfMember(deps),
    stopping: new AbortController().signal,
  },
);
const app = createApp(deps, { hub });
const victim = await signInShopper(app, planting, 'victim');
const attacker = await signInShopper(app, planting, 'attacker');
const { user } = await registerCustomer(app, planting, 'owner');
await plantLargeWorkspace(
  database,
  attacker.workspaceId,
  { accounts: 0, posts: 3000, minutesApart: 60, postsPerOrder: 10 },
  systemClock.now(),
);
for (const name of CURIOUS_NAMES) planting.network.addAccount(name);
const payer = await new DetectionBench(planting).schedule(planting.network.addAccount('payer'));
const stopping = new AbortController();
createDetectionJob(deps, servePosts(deps))
  .run(stopping.signal)
  .catch((error: unknown) => console.error('Detection ended', error));
await listen(app, { host: '127.0.0.1', port: Number(portText) });
process.on('message', (asked: Asked) => void answer(asked).then(tell));
tell({
  kind: 'ready',
  victim: shown(victim),
  attacker: shown(attacker),
  ownerEmail: user.email,
});

function shown({ client, igId, userId, workspaceId }: typeof victim) {
  return { igId, userId, workspaceId, cookie: `ovation=${client.cookie('ovation') ?? ''}` };
}

function tell(what: Told): void {
  process.send?.(what);
}

async function answer(asked: Asked): Promise<Told> {
  if (asked.kind === 'counts') return { kind: 'counts', ...hub.counts };
  if (asked.kind === 'post') return { kind: 'detected', afterMs: await detect() };
  await database.transaction((tx) =>
    tx
      .updateTable('post')
      .set({ like_count: asked.likes })
      .where('workspace_id', '=', attacker.workspaceId)
      .where('id', '=', '101')
      .execute(),
  );
  return { kind: 'changed' };
}

async function detect(): Promise<number> {
  const takenAtMs = systemClock.now();
  const { id } = planting.network.addPost('payer', { takenAtMs });
  for (;;) {
    // Its order is made with it, but for the fifth post of a day.
    const post = await database.db
      .selectFrom('post')
      .select('id')
      .where('account_id', '=', payer.accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    const afterMs = systemClock.now() - takenAtMs;
    if (post || afterMs > DETECTED_AFTER_LIMIT_MS) return afterMs;
    await sleep(100);
  }
}
