import { expect, test } from 'vitest';
import { orderExample, postExample } from '#web/testing/examples.ts';
import { receiptJson, receiptsTable } from './receipt-files.ts';

test('receipts are exported one order a line, with counts, times and the caption of the post', () => {
  const order = orderExample();
  const { heads, rows, sums = [] } = receiptsTable([order], new Map([[order.postId, 'Bread']]));
  expect(heads.join()).toMatch(/^Order,Account,Post,Caption,Kind,Status,Reason/);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.join()).toMatch(
    /ada.paints,Cabc,Bread,automatic,In progress,,Instant,10,50,0,20,30/,
  );
  expect(sums.filter((head) => !heads.includes(head))).toEqual([]);
});

test('a receipt is exported whole as JSON', () => {
  const [post, order] = [postExample(), orderExample()];
  expect(JSON.parse(receiptJson(post, [order]))).toEqual({ post, orders: [order] });
});
