import { expect, test } from 'vitest';
import { PRIVACY } from './privacy.ts';
import { TERMS } from './terms.ts';

test('no paragraph counts on somebody being named, because a copy for trying it out names nobody', () => {
  const paragraphs = [PRIVACY, TERMS].flatMap(({ sections }) =>
    sections.flatMap((section) => section.paragraphs),
  );
  expect(paragraphs.length).toBeGreaterThan(20);
  expect(paragraphs.filter((text) => /named (?:above|below|here)/.test(text))).toEqual([]);
});
