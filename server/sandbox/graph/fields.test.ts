import { expect, test } from 'vitest';
import { FieldSyntaxError, parseFields } from './query.ts';

test('modifiers, nesting and white space are read', () => {
  const [discovery, id] = parseFields(
    'business_discovery.username(blue.bottle){ id, media.after(QVFI_-=).limit(12) {id,caption} },\n id',
  );
  expect(discovery?.modifiers.get('username')).toBe('blue.bottle');
  const media = discovery?.fields?.[1];
  expect([...(media?.modifiers ?? [])]).toEqual([
    ['after', 'QVFI_-='],
    ['limit', '12'],
  ]);
  expect(media?.fields?.map((field) => field.name)).toEqual(['id', 'caption']);
  expect(id).toMatchObject({ name: 'id', fields: undefined });
});

test.each(['', 'a{', 'a{b', 'a}', 'a.', 'a.b', 'a.b(', ',a', 'a,', 'a{}', 'a b', 'A'])(
  'the malformed expression %j is a syntax error',
  (text) => {
    expect(() => parseFields(text)).toThrow(FieldSyntaxError);
  },
);
