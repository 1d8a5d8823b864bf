import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';

/** A text that a person can meet, with `{…}` where a value stands. */
export interface VisibleText {
  file: string;
  line: number;
  text: string;
}

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = [
  'web/src/**/*.{ts,tsx}',
  'shared/**/*.ts',
  'server/src/!(adapters)/**/*.ts',
  'server/sandbox/**/*.ts',
  'desktop/{main,renderer}/**/*.{ts,tsx}',
];
/** What stands on a page before any source runs, in the list of installed apps, and in the notes of an update. */
const PAGES = [
  'web/*.html',
  'desktop/renderer/*.html',
  'web/public/manifest.webmanifest',
  'desktop/release-notes.md',
];
/** Tests, what the checks of the books report, and sentences that imitate other makers' systems. */
const NOT_SHOWN =
  /\.(test|fake|conformance|metrics)\.tsx?$|\/testing\/|\.fake\.|(kit|main)\/(db\/migrations|jobs)\/|ops\/invariants\/|common-words|sandbox\/(cards[./]|db)/;
/** Of these only whole sentences are shown: the rest are names of columns and of notes in the log. */
const MOSTLY_NAMES = /\.(repository|table|job|tick)\.ts$/;
const VALUE = '{…}';

interface Node {
  type: string;
  start: number;
  [part: string]: unknown;
}

/** Every text in the sources that people see, in the order of files and lines. */
export function readVisibleTexts(): VisibleText[] {
  return globSync([...SOURCES, ...PAGES], { cwd: ROOT })
    .filter((file) => !NOT_SHOWN.test(file))
    .sort()
    .flatMap((file) => textsIn(file, readFileSync(join(ROOT, file), 'utf8')));
}

/** The texts of a file of any kind. */
export function textsIn(file: string, source: string): VisibleText[] {
  if (!/\.tsx?$/.test(file)) return pageTextsOf(file, source);
  const texts = textsOf(file, source);
  return MOSTLY_NAMES.test(file) ? texts.filter(({ text }) => /^\p{Lu}.*[.?]$/u.test(text)) : texts;
}

/** The texts of a page, a manifest or notes that aren't made by a source. */
export function pageTextsOf(file: string, source: string): VisibleText[] {
  const described = [
    ...source.matchAll(/description"\s+content="([^"]*)"/g),
    ...source.matchAll(/"(?:name|short_name|description)":\s*"([^"]*)"/g),
  ];
  const said = file.endsWith('.html')
    ? spokenParts(source)
    : file.endsWith('.md')
      ? source.split('\n')
      : [];
  return [...described.map(([, text]) => text ?? ''), ...said].filter(isSentence).map((text) => {
    const line = source.slice(0, source.indexOf(text)).split('\n').length;
    return { file, line, text };
  });
}

/** The texts of one source. */
export function textsOf(file: string, source: string): VisibleText[] {
  const found: VisibleText[] = [];
  const add = (node: Node, text: string): void => {
    const plain = text.replace(/\s+/g, ' ').trim();
    const line = source.slice(0, node.start).split('\n').length;
    if (/\p{L}{2}/u.test(plain.replaceAll(VALUE, ''))) found.push({ file, line, text: plain });
  };
  walk(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node, add);
  return found;
}

type Add = (node: Node, text: string) => void;

/** Attributes and arguments that only the machine reads. */
const UNSEEN_ATTRIBUTES =
  /^(className|style|styles|d|viewBox|transform|sizes|media|href|src|srcSet|rel|key|id|type|role|pattern|autoComplete|to|gap|justify)$/;
const UNSEEN_CALLS =
  /^(Error|RegExp|URL|String\.raw|(.*\.)?(log(\.\w+)?|report|note|querySelector|querySelectorAll))$/;

function walk(node: Node, add: Add): void {
  if (isUnseen(node)) return;
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return walkElement(node, add);
  if (node.type === 'TaggedTemplateExpression') return walkMarkup(node, add);
  const text = writtenText(node);
  if (text !== undefined && isSentence(text)) add(node, text);
  for (const child of childrenOf(node)) walk(child, add);
}

function isUnseen(node: Node): boolean {
  if (/^(Import|TS|Export(All|Named)Declaration$)/.test(node.type)) {
    return !/^TS(As|Satisfies|NonNull)Expression$/.test(node.type) && !hasDeclaration(node);
  }
  if (node.type === 'TaggedTemplateExpression') return nameOf(node['tag'] as Node) !== 'html';
  if (node.type === 'JSXAttribute') return UNSEEN_ATTRIBUTES.test(nameOf(node['name'] as Node));
  if (node.type === 'NewExpression' || node.type === 'CallExpression') {
    return UNSEEN_CALLS.test(nameOf(node['callee'] as Node));
  }
  return false;
}

const hasDeclaration = (node: Node): boolean => Boolean(node['declaration']);

function nameOf(node: Node): string {
  if (node.type === 'MemberExpression') {
    return `${nameOf(node['object'] as Node)}.${nameOf(node['property'] as Node)}`;
  }
  return typeof node['name'] === 'string' ? node['name'] : '';
}

/** A page written as `html`: what its elements say, and what stands inside the values of it. */
function walkMarkup(node: Node, add: Add): void {
  const quasi = node['quasi'] as Node;
  for (const text of spokenParts(writtenText(quasi) ?? '')) if (isSentence(text)) add(node, text);
  for (const child of (quasi['expressions'] as Node[]) ?? []) walk(child, add);
}

const SPOKEN_NAMES = /^(aria-label|aria-description|title|alt|placeholder|label|description)$/;
const SPOKEN_ATTRIBUTES = /\b(?:aria-label|title|alt|placeholder)="([^"]*)"/g;
const INLINE_TAGS = /<\/?(?:a|b|code|small|span|strong|time)\b[^>]*>/g;

/** What the elements and the attributes of some markup say; words in bold or in a link stay in their sentence. */
function spokenParts(markup: string): string[] {
  const attributes = [...markup.matchAll(SPOKEN_ATTRIBUTES)].map(([, text]) => text ?? '');
  const elements = markup.replaceAll(INLINE_TAGS, '').split(/<[^>]*>/);
  return [...attributes, ...elements].map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

/** What an element says is one text, with what stands inside its words. */
function walkElement(node: Node, add: Add): void {
  const children = (node['children'] as Node[]) ?? [];
  const says = children.some((child) => /\p{L}/u.test(ownText(child)));
  if (says) add(node, textInside(node, add));
  walkAttributes(node, add);
  if (!says) for (const child of children) walk(child, add);
}

function walkAttributes(node: Node, add: Add): void {
  const opening = node['openingElement'] as Node | undefined;
  for (const attribute of (opening?.['attributes'] as Node[] | undefined) ?? []) {
    const value = attribute['value'] as Node | null | undefined;
    const said = value?.type === 'Literal' && SPOKEN_NAMES.test(nameOf(attribute['name'] as Node));
    if (said) add(attribute, String(value['value']));
    else walk(attribute, add);
  }
}

function textInside(node: Node, add: Add): string {
  const children = (node['children'] as Node[]) ?? [];
  return children
    .map((child) => {
      const own = ownText(child);
      if (own !== '' || child.type === 'JSXText') {
        for (const value of valuesOf(child)) walk(value, add);
        return own;
      }
      if (child.type === 'JSXElement') {
        walkAttributes(child, add);
        return textInside(child, add) || VALUE;
      }
      walk(child, add);
      return VALUE;
    })
    .join('');
}

function ownText(child: Node): string {
  if (child.type === 'JSXText') return String(child['value']);
  if (child.type !== 'JSXExpressionContainer') return '';
  return writtenText(child['expression'] as Node) ?? '';
}

/** What stands inside a template that is written among an element's words. */
function valuesOf(child: Node): Node[] {
  const template = child['expression'] as Node | undefined;
  return (template?.['expressions'] as Node[] | undefined) ?? [];
}

function writtenText(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as Array<{ value: { cooked: string } }>;
  return quasis.map(({ value }) => value.cooked).join(VALUE);
}

/** Several words, or one that begins like a label; not a path, a code or a style. */
function isSentence(text: string): boolean {
  if (/^[#/]|^\.(?! )|^@(?!\{…\})|[;=<>{]\s*$|^\w+\/\S*$/.test(text)) return false;
  if (/^[\w.]+ as [a-z]+[A-Z]\w*$|^is (not|distinct from)$/.test(text)) return false;
  if (
    /^[^A-Z]*\b(select|insert into|update|create|delete from|order by|where|having) [\w{…}(*?]/.test(
      text,
    )
  ) {
    if (!/[.?’]$/.test(text)) return false;
  }
  // A piece of a sentence whose rest stands beside it.
  if (/^ \p{Ll}{3,}$|^\p{Ll}{3,} $/u.test(text)) return true;
  if (/^[A-Z][a-z]*([’'-][a-z]+)?( |$|[.?!,:…])/.test(text)) return true;
  return /\p{L}+,? \p{Ll}+/u.test(text) || /… ?\} \p{Ll}{2}/u.test(text);
}

function childrenOf(node: Node): Node[] {
  const isNode = (value: unknown): value is Node =>
    typeof value === 'object' && value !== null && 'type' in value;
  return Object.entries(node)
    .filter(([part]) => part !== 'key' || node['computed'] === true)
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}
