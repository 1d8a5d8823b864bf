import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MIGRATIONS } from './migrate.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

/** What each migration said when it was released; databases that it has made are out there. */
const RELEASED: Readonly<Record<string, string>> = {
  '0047-schema.sql': '511c0f696f444548',
  '0047-sync-triggers.ts': '1941dcb8570a0dbf',
  '0048-waiting-payments.sql': 'b3329ccf8e0395f6',
  '0049-gateway-news.sql': 'da5ea14aa5b5b48a',
  '0050-billing-documents.sql': '0189828db8444bb7',
  '0050-policy-reports.sql': '69a08a8defb47e83',
  '0051-membership.ts': 'fc2fc134c8df80f1',
  '0052-account-tags.sql': 'c81868b31851737e',
  '0053-clients.ts': '9742a7d4dc646395',
  '0054-budgets.sql': '85f2b06c197df453',
  '0055-card-by-method.sql': '9c6c31f76d86ba5f',
  '0056-bulk-operations.sql': '3597443242b53508',
  '0057-deleted-accounts.sql': '07c9dda2fb9cd3ac',
  '0059-alerts.sql': 'a7cf45a5f0d50cc5',
  '0060-client-reports.sql': '83b1b484270580b2',
  '0061-activity.sql': '8e9374bb3b91e78d',
  '0062-bulk-approval.sql': '3cda2b917394a544',
  '0062-bulk-charges.sql': 'ac335aab554fb4f4',
  '0062-bulk-turns.sql': '6a438048ab93357a',
  '0063-client-budgets.sql': '76dc9f63ad8e4344',
  '0064-who-entered-the-card.sql': 'aec6608cc36c6a37',
  '0065-report-addresses.sql': '6f9d59cd5203ed4b',
  '0065-report-confirmations.sql': '1e4442ed3ec81cdb',
  '0065-report-links.sql': '7d21db69ef661aef',
  '0066-member-raises.sql': 'e93817bc5939e727',
  '0067-member-lowerings.sql': 'ab64fb786df4e7a5',
  '0068-account-views.sql': '7e340f12adeca6bb',
  '0069-bulk-begun.sql': '2738f80a7e671d33',
  '0070-bulk-session.sql': 'fc8dbd0d12e903fc',
  '0071-refusal-reason.sql': '50a63d24a5baaeaf',
  '0072-people-by-id.sql': 'd5af9d3a951e7d46',
  '0073-audit-detail.sql': '0aaafdeaa4972f9a',
  '0074-left-clients.sql': '2fe2c144a4d90f67',
};

const hashOf = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(join(FOLDER, file)))
    .digest('hex')
    .slice(0, 16);

test('a released migration is never edited: a change of the schema is a new file', () => {
  const files = readdirSync(FOLDER);
  expect(Object.fromEntries(files.map((file) => [file, hashOf(file)]))).toEqual(RELEASED);
  expect(files.map((file) => file.replace(/\.\w+$/, ''))).toEqual(Object.keys(MIGRATIONS));
});
