import { expect, test } from 'vitest';
import { textsOf } from './visible-texts.ts';

const found = (source: string): string[] => textsOf('a.tsx', source).map(({ text }) => text);

test('what an element says is one text, with the words of what stands inside', () => {
  expect(found('const a = <p>Pay <b>{price}</b> once, <a href="/x">or later</a>.</p>;')).toEqual([
    'Pay {…} once, or later.',
  ]);
});

test('what an attribute, a property or a template says is found', () => {
  const source = `
    const a = { label: 'Save', hint: \`\${n} likes are on their way\` };
    const b = <input placeholder="Your name" className="wide field" />;
    const c = <p>{isOpen ? 'Close the list' : 'Open the list'}</p>;
  `;
  expect(found(source)).toEqual([
    'Save',
    '{…} likes are on their way',
    'Your name',
    'Close the list',
    'Open the list',
  ]);
});

test('queries, imports, types and what only developers read is left out', () => {
  const source = `
    import { a } from './some file.ts';
    type Kind = 'one kind' | 'another kind';
    const b = sql\`select a from b where c\`;
    throw new Error('The list has no end');
  `;
  expect(found(source)).toEqual([]);
});
