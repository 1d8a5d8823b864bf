import { expect, test } from 'vitest';
import shipped from '#web/features/public/landing/testimonials.json';
import { readTestimonials } from './testimonials.ts';

const one = {
  quote: 'I can see where every like came from.',
  handle: 'ada.paints',
  avatar: '/testimonials/ada.webp',
  followers: '12,400 followers',
  profileUrl: 'https://network.example/ada.paints',
  consent: 'By mail, 3 May 2026',
};

// Shows fact 2.12.
test('no testimonials ship with the product', () => {
  expect(shipped).toEqual([]);
});

test('a testimonial without its consent note is refused', () => {
  expect(readTestimonials([one])).toHaveLength(1);
  expect(() => readTestimonials([{ ...one, consent: '' }])).toThrow('when and how');
});

test('stars need a basis, and pictures are files of this site', () => {
  expect(() => readTestimonials([{ ...one, rating: { stars: 5, basis: '' } }])).toThrow(
    'Invalid length',
  );
  expect(() => readTestimonials([{ ...one, avatar: 'https://cdn.example/a.png' }])).toThrow(
    'file of this site',
  );
});
