import sharp from 'sharp';
import { expect, test } from 'vitest';
import { headOf } from './prerender-plugin.ts';

const PAGE = { path: '/', title: 'Likes & more', description: 'For "every" post' };
const contentOf = (name: string): string | undefined =>
  headOf(PAGE)
    .map((line) => /(?:name|property)="([^"]+)" content="([^"]*)"/.exec(line))
    .find((found) => found?.[1] === name)?.[2];

test('a link to a page is previewed with its title, its text and a large picture', () => {
  expect(contentOf('og:title')).toBe('Likes &amp; more');
  expect(contentOf('og:description')).toBe('For &quot;every&quot; post');
  expect(contentOf('og:url')).toBe('%PUBLIC_URL%/');
  expect(contentOf('twitter:card')).toBe('summary_large_image');
});

test('the picture of a preview is there, in the size that is told', async () => {
  const path = contentOf('og:image')?.replace('%PUBLIC_URL%', '');
  const { width, height } = await sharp(`${import.meta.dirname}/public${path}`).metadata();
  expect([contentOf('og:image:width'), contentOf('og:image:height')]).toEqual(
    [width, height].map(String),
  );
});
