import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FEATURES } from '../../oxlint.web.ts';
import { foldersInCycle } from '../bench/house/measures.ts';
import { importsOf, readTree } from '../bench/house/read-tree.ts';
import { findBreaks } from '../bench/house/walls.ts';

const TREE = readTree(join(import.meta.dirname, '../..'));

test('no import of the product runs against an order, however it is written', () => {
  const { imports } = TREE;
  expect(imports.length).toBeGreaterThan(5000);
  expect(findBreaks(imports)).toEqual([]);
});

test.each(['shared', ...FEATURES.map((feature) => `web/src/features/${feature}`)])(
  'the folders of %s run in no circle',
  (room) => {
    const circle = foldersInCycle(TREE, room);
    expect(circle?.counted ?? []).toEqual([]);
  },
);

/** What patterns of names let through: where it is written, what is imported, and the order it breaks. */
const PLANTED: Array<[file: string, wanted: string, why: string]> = [
  ['server/src/identity/users/a.ts', '../sessions/b.ts', 'order of server/src/identity'],
  ['server/src/money/a.ts', './refunds/refunds.service.ts', 'order of server/src/money'],
  ['server/src/money/cards/a.ts', '../b.ts', 'order of server/src/money'],
  ['server/src/money/cards/b.ts', '../../money/refunds/b.ts', 'order of server/src/money'],
  ['server/src/kit/db/tables/a.ts', '../../../money/b.ts', 'order of server/src'],
  ['server/src/mail/a.ts', '#server/audit/b.ts', 'order of server/src'],
  ['server/src/network/a.ts', '../b.ts', 'order of server/src'],
  ['web/src/features/posts/a.ts', '#web/testing/examples.ts', 'is for tests only'],
  ['web/src/replica/store/b.ts', './memory-store.fake.ts', 'is for tests only'],
  ['desktop/main/a.ts', '../testing/fake-window.ts', 'is for tests only'],
  ['server/sandbox/a.ts', '#test/fake-clock.ts', 'is for tests only'],
  ['web/src/features/a.ts', './accounts/b.ts', 'order of web/src/features'],
  ['web/src/features/accounts/a.ts', '../../b.ts', 'order of web/src'],
  ['web/src/features/accounts/b.ts', '../b.ts', 'order of web/src/features'],
  ['web/src/features/accounts/c/d.ts', '#web/features/posts/b.ts', 'order of web/src/features'],
  ['web/src/ui/a.ts', '../../../web/src/customer/b.ts', 'order of web/src'],
  ['web/src/ui/b/c.ts', '../../mount-app.tsx', 'order of web/src'],
  ['web/src/app/a.ts', '#web/service-worker/b.ts', 'order of web/src'],
  ['web/src/replica/a.ts', './outbox/b.ts', 'order of web/src/replica'],
  ['web/src/replica/store/a.ts', '../b.ts', 'order of web/src/replica'],
  ['desktop/renderer/a.ts', '#server/kit/token.ts', 'is another part of the product'],
  ['desktop/packaging/a.ts', '#web/app/paths.ts', 'is another part of the product'],
  ['desktop/ipc.ts', './main/window.ts', 'is another part of the product'],
  ['web/a-plugin.ts', '#server/kit/token.ts', 'is another part of the product'],
  ['shared/domain/a.ts', '../../server/sandbox/state.ts', 'is another part of the product'],
];

test.each(PLANTED)('%s may not import %s', (file, wanted, why) => {
  const lines = [
    `import { x } from '${wanted}';`,
    `import type { X } from '${wanted}';`,
    `export * from '${wanted}';`,
    `const later = () => import('${wanted}');`,
  ];
  const told = lines.map((line) => findBreaks(importsOf(file, line)));
  expect(told).toEqual(lines.map(() => [expect.stringContaining(`: ${why}`)]));
});
