import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHARED_POSTGRES, startMigratedPostgres } from '../databases/migrated-postgres.ts';
import type { PostgresServer } from '../databases/postgres-server.ts';
import { bundles, TOLD_BUNDLES } from '../processes/bundled.ts';
import { playShortForm } from './play-short-form.ts';
import { SharedWorkspace } from './shared-workspace.ts';
import { SHORT_FORMS } from './short-forms.ts';

const workspace = new SharedWorkspace(
  SHORT_FORMS.filter(({ isInWorkspace }) => isInWorkspace).length,
);
let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startMigratedPostgres();
});
afterAll(() => postgres.stop());

// Side by side: the first two wait 20 s for a poll of the network.
test.concurrent.each(SHORT_FORMS)(
  'the command $command works: its short form ends with 0 and prints its result',
  async (form) => {
    const shared = { [SHARED_POSTGRES]: postgres.baseUrl, [TOLD_BUNDLES]: await bundles() };
    const play = (more = {}) => playShortForm(form, { ...shared, ...more });
    const printed = form.isInWorkspace ? workspace.use(postgres.baseUrl, play) : play();
    expect(await printed).toMatch(form.prints);
  },
);
