import { expect, test } from 'vitest';
import { orderExample, postExample } from '#web/testing/examples.ts';
import { receiptJson, receiptsCsv } from './receipt-files.ts';

test('receipts are exported one order a line, with counts and times', () => {
  const lines = receiptsCsv([orderExample(), orderExample({ reason: '=1+1' })]).split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(/^Order,Account,Post,Kind,State,Reason/);
  expect(lines[1]).toContain('ada.paints,Cabc,automatic,In progress,,Instant,10,50,0,20,30');
  expect(lines[2]).toContain("'=1+1");
});

test('a receipt is exported whole as JSON', () => {
  const [post, order] = [postExample(), orderExample()];
  expect(JSON.parse(receiptJson(post, [order]))).toEqual({ post, orders: [order] });
});
