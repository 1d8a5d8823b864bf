import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEmbedded } from './embedded.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'embedded-'))));
afterEach(() => rmSync(directory, { recursive: true }));

test('what a start left that was killed while it made its database is made anew', async () => {
  const left = join(directory, 'postgres.new');
  mkdirSync(left);
  writeFileSync(join(left, 'PG_VERSION'), 'half');
  const database = await openEmbedded({ directory });
  const { rows } = await sql`select current_setting('shared_buffers') as size`.execute(database.db);
  await database.close();
  expect(rows).toEqual([{ size: '16MB' }]);
  expect(existsSync(left)).toBe(false);
});
