import { createApp } from '#server/app.ts';
import { connect } from '#server/db/connect.ts';
import { scopesOfOwner } from '#server/features/sync/scope-owner.ts';
import { StreamHub } from '#server/features/sync/stream-hub.service.ts';
import { listen } from '#server/http/listen.ts';
import { systemClock } from '#server/system.ts';
import { registerCustomer } from '#test/customers.ts';
import { FakeClock } from '#test/fake-clock.ts';
import { plantLargeWorkspace } from '#test/planted-workspace.ts';
import { signInShopper } from '#test/signed-in.ts';
import { createTestDeps } from '#test/test-deps.ts';
import type { Asked, Told } from './doors-node.ts';

/** One node of the product on an embedded database, with an attacker who has 3,000 posts, and a victim. */
const [dataDir = '', portText = ''] = process.argv.slice(2);
const database = await connect({ databaseUrl: undefined, dataDir }, () => undefined);
const planting = await createTestDeps({
  clock: new FakeClock(new Date(systemClock.now()).toISOString()),
  database: { ...database, url: undefined },
  settings: { trustedProxies: ['127.0.0.1'] },
});
const deps = { ...planting, clock: systemClock };
const hub = new StreamHub(deps, {
  scopesOf: scopesOfOwner,
  stopping: new AbortController().signal,
});
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
await listen(app, { host: '127.0.0.1', port: Number(portText) });
process.on('message', (asked: Asked) => void answer(asked).then(tell));
tell({
  kind: 'ready',
  victim: shown(victim),
  attacker: shown(attacker),
  ownerEmail: user.email,
});

function shown({ client, igId, workspaceId }: typeof victim) {
  return { igId, workspaceId, cookie: `ovation=${client.cookie('ovation') ?? ''}` };
}

function tell(what: Told): void {
  process.send?.(what);
}

async function answer(asked: Asked): Promise<Told> {
  if (asked.kind === 'counts') return { kind: 'counts', ...hub.counts };
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
