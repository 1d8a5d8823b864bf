import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../src');
const read = (path: string): string => readFileSync(join(SOURCES, path), 'utf8');
/** Where classes stand that belong to no module. */
const GLOBAL = ['theme/utilities.css', 'features/public/legal/legal-page.css'];

const NAMED = /className="([^"]+)"|className=\{`([^`]+)`\}|composes: ([^;]+) from global/g;

/** The classes by their own names in sources, without those of modules. */
function namedIn(text: string): string[] {
  return [...text.matchAll(NAMED)].flatMap(([, plain, template, composed]) =>
    (plain ?? template ?? composed ?? '')
      .replaceAll(/\$\{[^}]*\}/g, '')
      .split(/\s+/)
      .filter(Boolean),
  );
}

const definedIn = (css: string): Set<string> =>
  new Set([...css.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/g)].map(([, name]) => name ?? ''));

const unknown = (text: string, css: string): string[] =>
  namedIn(text).filter((name) => !definedIn(css).has(name));

const unused = (text: string, css: string): string[] => {
  const names = new Set(namedIn(text));
  return [...definedIn(css)].filter((name) => !names.has(name));
};

test('a class that no sheet has, and one that nobody uses, are found', () => {
  const css = '.grid {\n  display: grid;\n}\n.row:hover {\n  gap: 1px;\n}\n';
  expect(unknown('<p className="grid gap-9" />', css)).toEqual(['gap-9']);
  expect(unknown('.a {\n  composes: row gap-9 from global;\n}', css)).toEqual(['gap-9']);
  expect(unknown("<p className={`row ${styles['a']}`} />", css)).toEqual([]);
  expect(unused('<p className="grid">A row of it</p>', css)).toEqual(['row']);
});

test('every class by its own name is in a sheet, and every one of the shared sheets is used', () => {
  const files = globSync('**/*.{tsx,module.css}', { cwd: SOURCES });
  const text = files.map(read).join('\n');
  const css = GLOBAL.map(read).join('\n');
  expect(files.length).toBeGreaterThan(200);
  expect(unknown(text, css)).toEqual([]);
  expect(unused(text, css).filter((name) => !name.startsWith('mantine-'))).toEqual([]);
});

const IMPORTED = /import (\w+) from '([^']*\.module\.css)'/g;

/** What sources take from modules: the module, and the class, or undefined where it is chosen as it runs. */
function takenFrom(file: string, text: string): Array<[module: string, name: string | undefined]> {
  return [...text.matchAll(IMPORTED)].flatMap(([, variable = '', path = '']) => {
    const module = path.startsWith('#web/') ? path.slice(5) : normalize(join(dirname(file), path));
    const uses = text.matchAll(new RegExp(`\\b${variable}\\[(?:'(\\w+)'|)`, 'g'));
    return [...uses].map(([, name]): [string, string | undefined] => [module, name]);
  });
}

test('every class taken from a module is in it, and every one of a module is taken', () => {
  const sources = globSync('**/*.{ts,tsx}', { cwd: SOURCES });
  const taken = sources.flatMap((file) => takenFrom(file, read(file)));
  const wrong = taken.filter(
    ([module, name]) => name !== undefined && !definedIn(read(module)).has(name),
  );
  expect(wrong).toEqual([]);
  const left = globSync('**/*.module.css', { cwd: SOURCES }).flatMap((module) => {
    const names = new Set(taken.filter(([of]) => of === module).map(([, name]) => name));
    if (names.has(undefined)) return [];
    const own = definedIn(read(module).replaceAll(/:global\((?:[^()]|\([^()]*\))*\)/g, ''));
    return [...own].filter((name) => !names.has(name)).map((name) => `${module} ${name}`);
  });
  expect(left).toEqual([]);
});
