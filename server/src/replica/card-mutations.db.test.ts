import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUSH_PATH, PushAnswer } from '#shared/sync/push.ts';
import type { CardEntry } from '#shared/contract/about.ts';
import { startSyncServer, syncPath, type SyncServer } from '#test/calls/sync-server.ts';
import { scanForCards } from '#server/ops/invariants/scan-for-cards.ts';

const GATEWAY: CardEntry = {
  way: 'gateway',
  publishableKey: 'pk_test_1',
  scriptUrl: 'https://js.stripe.com/endive/stripe.js',
};
const CLIENT = '01890000-0000-7000-8000-00000000c12e';

let server: SyncServer;
beforeAll(async () => {
  server = await startSyncServer();
});
afterAll(() => server.close());

/** Tags an account by sync, each tag a change of its own. */
async function tag(name: string, tags: readonly string[]): Promise<string[]> {
  const { client, accountId } = await server.signIn(name);
  const mutations = tags.map((each, index) => ({
    mid: index + 1,
    name: 'tagAccounts',
    v: 1,
    args: { accountIds: [accountId], add: [each], remove: [] },
  }));
  const response = await client.send(syncPath(PUSH_PATH), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId: CLIENT, mutations }),
  });
  const { results } = v.parse(PushAnswer, await response.json());
  return results.map((result) =>
    result.status === 'ok' ? 'ok' : `${result.code}: ${result.message}`,
  );
}

test('a card number typed as a tag is refused with a reason, and the changes beside it go on', async () => {
  server.deps.settings.cardEntry = GATEWAY;
  const refused =
    'card_not_taken: That looks like a card number. Card details don’t go through our server, so please take it out.';
  expect(
    await tag('tags.cards', [
      'bakery',
      '5555 5555 5555 4444',
      '6759649826438453',
      '+49 1511 2345678',
    ]),
  ).toEqual(['ok', refused, refused, 'ok']);
  expect(await scanForCards(server.deps.database.db)).toEqual([]);
});

test('I9 finds a number that was kept', async () => {
  server.deps.settings.cardEntry = { way: 'form' };
  expect(await tag('tags.form', ['5555 5555 5555 4444'])).toEqual(['ok']);
  const found = await scanForCards(server.deps.database.db);
  expect(found.map(({ problem }) => problem)).toContain('holds a card number ending 4444');
  expect(JSON.stringify(found)).not.toMatch(/5555/);
});
