import { expect, test } from 'vitest';
import { pageTextsOf, readVisibleTexts, textsOf } from './visible-texts.ts';

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

test('a page written as markup says what its elements and attributes say', () => {
  const source = `
    const a = html\`<p class="one two">Show <b>\${n}</b> posts.</p><img alt="A quiet coast" src="/a b" />\`;
    const b = html\`\${isEmpty ? html\`<p>Nobody has posted yet.</p>\` : 'See all of them'}\`;
  `;
  expect(found(source)).toEqual([
    'A quiet coast',
    'Show {…} posts.',
    'Nobody has posted yet.',
    'See all of them',
  ]);
});

test('a name of a choice, a piece of a sentence and a sentence about updates are found', () => {
  const source = `
    const a = <Choice name="Manage plan" />;
    const b = <p>{brand}{isKnown && ' recognized'}{isVideo && '. Views are free'}</p>;
    const c = 'Press here to update the app';
  `;
  expect(found(source)).toEqual([
    'Manage plan',
    'recognized',
    '. Views are free',
    'Press here to update the app',
  ]);
});

test('pages without a source are read: their description and what they say without scripts', () => {
  const page = `<meta name="viewport" content="width=device-width" />
    <meta
      name="description"
      content="Likes for every post." />
    <noscript>This page needs JavaScript.</noscript>`;
  expect(pageTextsOf('a.html', page)).toEqual([
    { file: 'a.html', line: 4, text: 'Likes for every post.' },
    { file: 'a.html', line: 5, text: 'This page needs JavaScript.' },
  ]);
  const manifest = '{ "name": "Ovation", "description": "Likes for every post." }';
  expect(pageTextsOf('a.webmanifest', manifest)).toEqual([
    { file: 'a.webmanifest', line: 1, text: 'Likes for every post.' },
  ]);
});

test('every place where people read is among the sources', () => {
  const files = new Set(
    readVisibleTexts().map(({ file }) => file.split('/').slice(0, 3).join('/')),
  );
  expect([...files]).toEqual(
    expect.arrayContaining([
      'desktop/main/menu.ts',
      'desktop/renderer/connect-page.tsx',
      'server/sandbox/site',
      'server/src/features',
      'server/src/http',
      'shared/contract/fields.ts',
      'web/index.html',
      'web/public/manifest.webmanifest',
      'web/src/features',
    ]),
  );
});
