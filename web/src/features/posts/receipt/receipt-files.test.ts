import { expect, test } from 'vitest';
import { orderExample, postExample } from '#web/testing/examples.ts';
import { receiptJson, receiptsTable } from './receipt-files.ts';

test('receipts are exported one order a line, with counts, times and the caption of the post', () => {
  const order = orderExample();
  const captions = new Map([[order.postId, 'Bread']]);
  const { heads, rows, sums = [] } = receiptsTable([order], captions, true);
  expect(heads.join()).toMatch(/^Order,Account,Post,Caption,Kind,Status,Reason/);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.join()).toMatch(
    /ada.paints,Cabc,Bread,automatic,In progress,,Instant,10,50,0,20,30/,
  );
  expect(sums.filter((head) => !heads.includes(head))).toEqual([]);
});

test('a receipt is exported whole as JSON', () => {
  const [post, order] = [postExample(), orderExample()];
  expect(JSON.parse(receiptJson(post, [order], true))).toEqual({ post, orders: [order] });
});

test('files of who sees no money say nothing of credits', () => {
  const order = orderExample({ state: 'Partial', creditsReturned: 77 });
  const table = receiptsTable([order], new Map(), false);
  expect(JSON.stringify([table, receiptJson(postExample(), [order], false)])).not.toMatch(
    /credit|77/i,
  );
  expect(table.rows[0]).toHaveLength(table.heads.length);
});
