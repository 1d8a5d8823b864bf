import { expect, test } from 'vitest';
import { AccessReader } from './statement-access.ts';

const reader = new AccessReader({
  references: new Map([
    ['post', []],
    ['like_order', ['post']],
  ]),
  logged: new Set(),
});

const QUERY = `select p.id from jsonb_to_recordset($1) as s(id text) join post p on p.id = s.id
  where exists (select from like_order l where l.post_id = p.id)`;

test.each([
  [`${QUERY} for update of p`, ['post']],
  [`${QUERY} for no key update of p`, ['post']],
  [`${QUERY} for update of p for share of l`, ['post', 'like_order']],
  ['select * from post, like_order for update of post', ['post']],
  // Which of them isn't said: in doubt all.
  [`${QUERY} for update`, ['post', 'like_order']],
  [`${QUERY} for update of s`, ['post', 'like_order']],
  [QUERY, []],
])('of a query that locks, the named tables count as written: %#', (query, written) => {
  const { reads, writes } = reader.peek(query);
  expect([...writes]).toEqual(written);
  expect([...reads]).toEqual(['post', 'like_order']);
});
