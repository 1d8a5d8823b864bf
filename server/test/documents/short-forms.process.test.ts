import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMigratedPostgres } from '../databases/migrated-postgres.ts';
import type { PostgresServer } from '../databases/postgres-server.ts';
import { playShortForm } from './play-short-form.ts';
import { SHORT_FORMS } from './short-forms.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startMigratedPostgres();
});
afterAll(() => postgres.stop());

// Side by side: the first two wait 20 s for a poll of the network.
test.concurrent.each(SHORT_FORMS)(
  'the command $command works: its short form ends with 0 and prints its result',
  async (form) => {
    expect(await playShortForm(form, postgres.baseUrl)).toMatch(form.prints);
  },
);
