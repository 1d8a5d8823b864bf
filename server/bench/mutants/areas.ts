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
      'server/src/features/{billing,credits,subscriptions,fair-clock}/**/*.ts',
      'shared/domain/{billing-period,card,credit-packages,day-use,like-price,money*,pause,plan-quote,plans,shortfall-credits}.ts',
    ],
    users: ['disputes', 'invariants', 'ownership'].map((name) => `server/src/features/${name}`),
    goal: 0.9,
  },
  {
    name: 'orders',
    files: [
      'server/src/features/{orders,delivery,delivery-settings,posts}/**/*.ts',
      'shared/domain/{automatic-likes,automatic-slots,delivery-speed,order-state}.ts',
    ],
    users: ['server/src/features/detection', 'server/src/features/credits'],
    goal: 0.9,
  },
  {
    name: 'sync',
    files: ['server/src/features/sync/**/*.ts', 'shared/sync/*.ts'],
    users: [],
    goal: 0.9,
  },
  {
    name: 'sessions',
    files: [
      'server/src/features/recovery/**/*.ts',
      'server/src/features/users/{devices,known-browser,login,own-password,session}*.ts',
      'server/src/http/{cookie,same-site,session*}.ts',
    ],
    users: [],
    goal: 0.85,
  },
  {
    name: 'detection',
    files: ['server/src/features/detection/**/*.ts'],
    users: ['server/src/features/accounts'],
    goal: 0.85,
  },
];

const NOT_PRODUCT = ['**/*.test.ts', '**/*.fake.ts', '**/*.table.ts'];

/** Paths of an area's product files, from the project's root, in order. */
export function filesOf(area: Area): string[] {
  return area.files
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .filter((file) => !NOT_PRODUCT.some((pattern) => matchesGlob(file, pattern)))
    .sort();
}

export const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
