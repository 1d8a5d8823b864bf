import { expect, test } from 'vitest';
import { AUTOMATIC_OUTCOMES } from '#shared/domain/delivery/automatic-likes.ts';
import { ORDER_STATES } from '#shared/domain/delivery/order-state.ts';
import { postExample } from '#web/testing/examples.ts';
import { likeParts, postSentence, totalInWords } from './post-sentence.ts';

const order = { id: 'x', target: 1050, bonus: 0, delivered: 400 };

test.each([
  ['Pending', 'Ordered, waiting for the delivery network.'],
  ['Processing', 'The first likes are on their way.'],
  ['In progress', '400 of 1,050 likes delivered.'],
  ['Completed', 'All 1,050 likes delivered.'],
  ['Partial', 'Ended with 400 of 1,050 likes delivered.'],
  ['Canceled', 'No likes were delivered.'],
] as const)('an order that is %s says so', (state, sentence) => {
  expect(postSentence(postExample({ order: { ...order, state } }))).toBe(sentence);
});

test('an order that wasn’t the post’s first is told apart from what came before it', () => {
  const extra = { id: 'y', state: 'Completed', target: 40, bonus: 0, delivered: 40 } as const;
  expect(postSentence(postExample({ order: extra, deliveredLikes: 90 }))).toBe(
    'Newest order: all 40 likes delivered.',
  );
  expect(postSentence(postExample({ order: extra, deliveredLikes: 40 }))).toBe(
    'All 40 likes delivered.',
  );
});

test('every state and every outcome has a sentence of its own', () => {
  const sentences = [
    ...ORDER_STATES.map((state) => postSentence(postExample({ order: { ...order, state } }))),
    ...AUTOMATIC_OUTCOMES.map((automaticOutcome) =>
      postSentence(postExample({ order: null, automaticOutcome })),
    ),
  ];
  expect(new Set(sentences).size).toBe(ORDER_STATES.length + AUTOMATIC_OUTCOMES.length);
});

test('the fifth post of a day says why it gets none', () => {
  const fifth = postExample({ order: null, automaticOutcome: 'daily_limit' });
  expect(postSentence(fifth)).toBe('No automatic likes: only the first 4 posts a day get them.');
});

test('a deleted post says so first', () => {
  const deleted = postExample({
    deletedAt: '2026-11-21T10:00:00.000Z',
    order: { ...order, state: 'Partial' },
  });
  expect(postSentence(deleted)).toBe(
    'Deleted on Instagram. Ended with 400 of 1,050 likes delivered.',
  );
});

// Shows fact 3.08.
test('hidden likes are never shown as a number', () => {
  const withCount = (count: number | null) =>
    totalInWords(
      postExample({ edge_media_preview_like: { count }, organicLikes: count, deliveredLikes: 0 }),
    );
  expect([null, 0, 1, 1284].map(withCount)).toEqual([
    'Likes hidden',
    '0 likes',
    '1 like',
    '1,284 likes',
  ]);
});

test('a bonus is named beside what was ordered', () => {
  const withBonus = (state: 'In progress' | 'Completed', delivered: number) =>
    postSentence(postExample({ order: { id: 'x', state, target: 550, bonus: 50, delivered } }));
  expect(withBonus('In progress', 543)).toBe('543 of 500 + 50 bonus likes delivered.');
  expect(withBonus('Completed', 550)).toBe('All 500 + 50 bonus likes delivered.');
});

test('the parts of the likes sum up, also those of others and those that are gone', () => {
  const partsOf = (count: number | null, organicLikes: number | null, deliveredLikes: number) =>
    likeParts(
      postExample({
        edge_media_preview_like: { count },
        organicLikes,
        deliveredLikes,
        order: null,
      }),
    ).map(({ words }) => words);
  expect(partsOf(30, 10, 20)).toEqual(['10 organic', '20 delivered']);
  expect(partsOf(367, 367, 0)).toEqual(['367 organic']);
  expect(partsOf(70, 30, 20)).toEqual(['30 organic', '20 delivered', '20 ordered by others']);
  expect(partsOf(45, 30, 20)).toEqual(['30 organic', '20 delivered', '−5 removed by the network']);
  expect(partsOf(null, null, 20)).toEqual(['organic hidden', '20 delivered']);
});
