import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTree } from '../bench/house/read-tree.ts';
import { findGaps, walksOf } from '../bench/house/walks.ts';

test('the walks that the architecture tells are there, and each file leads to the next', () => {
  const tree = readTree(join(import.meta.dirname, '../..'));
  const walks = [...walksOf(tree)];
  expect(walks.flatMap(([, steps]) => findGaps(tree, steps))).toEqual([]);
  // A walk that stops early would count as short.
  expect(walks.map(([name, steps]) => [name, steps[0]?.file, steps.at(-1)?.file])).toEqual([
    [
      'A payment',
      'web/src/features/billing/checkout/plan-checkout.tsx',
      'web/src/features/billing/success-dialog.tsx',
    ],
    [
      'A payment that the bank asks about',
      'server/src/money/checkout/run-checkout.service.ts',
      'web/src/features/billing/success-dialog.tsx',
    ],
    [
      'An invoice',
      'server/src/money/settlement/settle-charge.ts',
      'web/src/features/billing/overview/transactions-table.tsx',
    ],
    [
      'A renewal',
      'server/src/money/renewals/subscriptions.job.ts',
      'web/src/features/billing/overview/transactions-table.tsx',
    ],
    [
      'An order',
      'web/src/features/posts/order-likes/extra-likes-dialog.tsx',
      'web/src/features/posts/receipt/receipt.tsx',
    ],
    [
      'An order made offline',
      'web/src/replica/outbox/outbox.ts',
      'web/src/replica/outbox/push-outbox.ts',
    ],
    [
      'A change that is confirmed',
      'server/src/replica/push.service.ts',
      'web/src/replica/queries/posts.ts',
    ],
    [
      'A post',
      'server/src/network/detection/detection.job.ts',
      'web/src/features/posts/receipt/receipt.tsx',
    ],
    ['A version number', 'server/src/kit/db/open-database.ts', 'web/src/platform/client-state.ts'],
  ]);
});
