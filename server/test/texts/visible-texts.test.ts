import { expect, test } from 'vitest';
import { pageTextsOf, readVisibleTexts, textsIn, textsOf } from './visible-texts.ts';

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

test('an attribute of what stands among the words of an element is found, also where it is one word', () => {
  const source = `
    const a = <p>Read <Icon title="E-mail" />it <a href="/x" aria-label={isOpen ? 'Log-in' : 'Go there'}>here</a></p>;
    const b = <p>Now {\`read \${isNew ? 'the latest news' : 'it'}\`}</p>;
    const c = <i aria-label="close" />;
  `;
  expect(found(source).toSorted()).toEqual(
    ['E-mail', 'Log-in', 'Go there', 'Read {…}it here', 'the latest news', 'Now read {…}', 'close']

      .toSorted(),
  );
});

test('a text that begins with a name, a slash between words, or a dash is found', () => {
  const source =
    "const a = [`@${name}, ${n} likes`, 'CVV/CVC code', 'E-mail', 'application/json', 'a.b as cD'];";
  expect(found(source)).toEqual(['@{…}, {…} likes', 'CVV/CVC code', 'E-mail']);
});

test('of a file of queries or work only whole sentences are read', () => {
  const source = "const a = ['charge disputed', 'Past due', 'You have too many accounts.'];";
  const textsOfFile = (file: string) => textsIn(file, source).map(({ text }) => text);
  expect(textsOfFile('server/src/a.repository.ts')).toEqual(['You have too many accounts.']);
  expect(textsOfFile('server/src/a.service.ts')).toHaveLength(3);
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
    { file: 'a.webmanifest', line: 1, text: 'Ovation' },
    { file: 'a.webmanifest', line: 1, text: 'Likes for every post.' },
  ]);
  expect(pageTextsOf('a.md', '# 0.1.0\n\nThe first version.\n')).toEqual([
    { file: 'a.md', line: 3, text: 'The first version.' },
  ]);
});

test('every place where people read is among the sources', () => {
  const files = new Set(
    readVisibleTexts().map(({ file }) => file.split('/').slice(0, 3).join('/')),
  );
  expect([...files]).toEqual(
    expect.arrayContaining([
      'desktop/main/menu.ts',
      'desktop/release-notes.md',
      'desktop/renderer/main.tsx',
      'server/sandbox/site',
      'server/src/kit',
      'server/src/main',
      'server/src/money',
      'server/src/ops',
      'server/src/routes',
      'shared/contract/fields.ts',
      'web/index.html',
      'web/public/manifest.webmanifest',
      'web/src/features',
    ]),
  );
});
