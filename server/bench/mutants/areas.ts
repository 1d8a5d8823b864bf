import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

export interface Area {
  name: string;
  files: readonly string[];
  /** Folders beside those of its files whose tests use them, too. */
  users: readonly string[];
  /** The least share of mutants that the tests must kill. */
  goal: number;
}

/** What a wrong character costs most: each area, the files that decide it, and how well they are guarded. */
export const AREAS: readonly Area[] = [
  {
    name: 'money',
    files: [
      'server/src/money/{cancellation,cards,charges,checkout,credits,payments,plan-changes,refunds,renewals,service-credit,settlement,subscriptions}/**/*.ts',
      'server/src/read-model/{ledger,wallet}*.ts',
      'server/src/routes/{billing,credits,subscriptions}.routes.ts',
      'shared/domain/money/{billing-period,card,credit-packages,day-use,like-price,money*,pause,plan-quote,plans,shift-reason}.ts',
    ],
    users: ['money/disputes', 'ops/invariants', 'use-cases/accounts'].map(
      (name) => `server/src/${name}`,
    ),
    goal: 0.9,
  },
  {
    name: 'orders',
    files: [
      'server/src/{delivery,network/posts}/**/*.ts',
      'server/src/read-model/{order,post}*.ts',
      'server/src/routes/{events,posts}.routes.ts',
      'server/src/use-cases/accounts/delivery-settings*.ts',
      'shared/domain/delivery/{automatic-likes,automatic-slots,delivery-speed,order-reasons,order-state}.ts',
    ],
    users: ['server/src/network/detection', 'server/src/money/credits'],
    goal: 0.9,
  },
  {
    name: 'sync',
    files: [
      'server/src/replica/**/*.ts',
      'server/src/read-model/row-projection.ts',
      'server/src/routes/sync.routes.ts',
      'shared/sync/*.ts',
    ],
    users: [],
    goal: 0.9,
  },
  {
    name: 'sessions',
    files: [
      'server/src/identity/recovery/**/*.ts',
      'server/src/routes/recovery.routes.ts',
      'server/src/identity/sessions/*.ts',
      'server/src/identity/users/no-session.ts',
      'server/src/{kit,identity}/http/{cookie,same-site,session*}.ts',
    ],
    users: ['server/src/identity/members', 'server/src/ops/operator'],
    goal: 0.85,
  },
  {
    name: 'detection',
    files: [
      'server/src/network/{allowance,detection}/**/*.ts',
      'server/src/network/accounts/reading.repository.ts',
    ],
    users: ['server/src/network/accounts', 'server/src/delivery/automatic'],
    goal: 0.85,
  },
];

/** The wire’s history is a list of what was; nothing follows from it but that what is now stands in it. */
const NOT_PRODUCT = [
  '**/*.test.ts',
  '**/*.fake.ts',
  '**/*.table.ts',
  'shared/sync/wire-history.ts',
];

/** Paths of an area's product files, from the project's root, in order. */
export function filesOf(area: Area): string[] {
  return area.files
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .filter((file) => !NOT_PRODUCT.some((pattern) => matchesGlob(file, pattern)))
    .sort();
}

export const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
