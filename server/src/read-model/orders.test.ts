import { expect, test } from 'vitest';
import { REFUSAL_REASONS } from '#shared/contract/provider-protocol.ts';
import type { LikeOrderRow } from '#server/delivery/orders/like-order.repository.ts';
import { viewOrder } from './orders.service.ts';
import {
  ORDER_REASONS,
  reasonSentence,
  refusalReason,
} from '#shared/domain/delivery/order-reasons.ts';

const at = new Date('2026-11-20T12:00:00Z');
const row: LikeOrderRow = {
  workspace_id: '00000000-0000-7000-8000-000000000001',
  id: '00000000-0000-7000-8000-000000000002',
  kind: 'credit',
  account_id: '00000000-0000-7000-8000-000000000003',
  post_id: '17900000000000001',
  ig_id: '17800000000000001',
  shortcode: 'Cabc',
  subscription_id: null,
  local_day: null,
  slot: null,
  state: 'Partial',
  reason: 'post_deleted',
  speed: 'Instant',
  ordered: 20,
  bonus: 0,
  views: 0,
  start_count: null,
  delivered: 5,
  views_delivered: 0,
  remains: 15,
  known_at: null,
  provider_seq: 3,
  posted_at: at,
  detected_at: at,
  start_at: at,
  finish_by: at,
  started_at: at,
  finished_at: at,
  cancel_requested: true,
  next_attempt_at: null,
  fence: 2,
  attempts: 1,
  attempted_at: at,
  credits_settled_at: null,
  credits_returned: null,
  settle_after: null,
  plan_price_cents: 999,
  plan_likes: 50,
  period_days: 30,
  in_advance: false,
};

test('an order that ended short says why', () => {
  expect(viewOrder(row, 'ada').reason).toBe('The post was deleted, so delivery stopped.');
});

test('while it still runs, a reason would not be true yet', () => {
  const running: LikeOrderRow = { ...row, state: 'In progress', finished_at: null };
  expect(viewOrder(running, 'ada').reason).toBeNull();
});

test('every reason is a sentence, and only those of orders that never began say "no likes"', () => {
  for (const reason of ORDER_REASONS) {
    const sentence = reasonSentence(reason);
    expect(sentence).toMatch(/^[A-Z][^.]+\.$/);
    const isRefusal = ['media_gone', 'invalid_order', 'no_members', 'refused'].includes(reason);
    expect(sentence.includes('no likes were delivered')).toBe(isRefusal);
  }
  expect(new Set(ORDER_REASONS.map(reasonSentence)).size).toBe(ORDER_REASONS.length);
});

test('a refusal of the protocol keeps its reason, a word of the provider’s own is not shown', () => {
  expect(REFUSAL_REASONS.map(refusalReason)).toEqual([
    'media_gone',
    'invalid_order',
    'no_members',
    'refused',
  ]);
  expect(refusalReason('<b>overbooked</b>')).toBe('refused');
});
