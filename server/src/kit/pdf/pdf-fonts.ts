import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { isPrintable } from '#shared/domain/words/printed-letters.ts';

/** The files of Inter, by the letters they have. */
const SUBSETS = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
] as const;
type Subset = (typeof SUBSETS)[number];
export type Weight = 400 | 600;

const pathOf = (file: string): string =>
  fileURLToPath(import.meta.resolve(`@fontsource/inter/${file}`));

const unpacked = new Map<string, Buffer>();

/** A file of the font, unpacked once: the library would do so for each document, ten times as slowly. */
export function readFont(subset: Subset, weight: Weight): Buffer {
  const file = `files/inter-${subset}-${weight}-normal.woff`;
  const font = unpacked.get(file) ?? unpackWoff(readFileSync(pathOf(file)));
  unpacked.set(file, font);
  return font;
}

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

/** The OpenType font in a WOFF file (https://www.w3.org/TR/WOFF/): its tables, each of them packed. */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(SFNT_HEADER + count * SFNT_ENTRY);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const searched = 2 ** Math.floor(Math.log2(count)) * SFNT_ENTRY;
  head.writeUInt16BE(searched, 6);
  head.writeUInt16BE(Math.log2(searched / SFNT_ENTRY), 8);
  head.writeUInt16BE(count * SFNT_ENTRY - searched, 10);
  const tables: Buffer[] = [];
  let offset = head.length;
  for (let index = 0; index < count; index += 1) {
    const entry = WOFF_HEADER + index * WOFF_ENTRY;
    const [at, packed, size] = [4, 8, 12].map((place) => woff.readUInt32BE(entry + place));
    const bytes = woff.subarray(at, (at ?? 0) + (packed ?? 0));
    const table = bytes.length === size ? bytes : inflateSync(bytes);
    const own = SFNT_HEADER + index * SFNT_ENTRY;
    woff.copy(head, own, entry, entry + 4);
    woff.copy(head, own + 4, entry + 16, entry + WOFF_ENTRY);
    head.writeUInt32BE(offset, own + 8);
    head.writeUInt32BE(table.length, own + 12);
    const padding = Buffer.alloc((4 - (table.length % 4)) % 4);
    tables.push(table, padding);
    offset += table.length + padding.length;
  }
  return Buffer.concat([head, ...tables]);
}

const RANGES = readRanges();

/** As the package lists them: "U+0000-00FF,U+0131". */
function readRanges(): Array<[Subset, Array<readonly [first: number, last: number]>]> {
  const listed = JSON.parse(readFileSync(pathOf('unicode.json'), 'utf8')) as Record<string, string>;
  return SUBSETS.map((subset) => [
    subset,
    (listed[subset] ?? '').split(',').map((range) => {
      const [first = '', last = first] = range.replace('U+', '').split('-');
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
    }),
  ]);
}

/** Stands for letters that no file has, however many. */
const LEFT_OUT = '…';

/** Text that one file has all letters for. */
export interface Run {
  subset: Subset;
  text: string;
}

/** A text as runs, and whether all of it can be printed: marks of direction aren't, nor pictures and other scripts. */
export function toRuns(text: string): { runs: Run[]; isWhole: boolean } {
  const runs: Run[] = [];
  let isWhole = true;
  const add = (subset: Subset, printed: string): void => {
    const last = runs.at(-1);
    if (last && (last.subset === subset || printed === ' ')) last.text += printed;
    else runs.push({ subset, text: printed });
  };
  for (const letter of text.normalize('NFC')) {
    const subset = isPrintable(letter) ? subsetOf(letter) : undefined;
    if (subset) add(subset, letter);
    else if (!isPrintable(letter) && !runs.at(-1)?.text.endsWith(LEFT_OUT)) add('latin', LEFT_OUT);
    isWhole &&= subset !== undefined;
  }
  return { runs, isWhole };
}

function subsetOf(letter: string): Subset | undefined {
  const code = letter.codePointAt(0) ?? 0;
  return RANGES.find(([, ranges]) =>
    ranges.some(([first, last]) => code >= first && code <= last),
  )?.[0];
}

/** The package's font, which shapes a text each time it is measured or drawn, where features are asked for. */
export interface Shaper {
  layoutRun(text: string, features?: unknown): unknown;
}

const keeping = new WeakSet<Shaper>();
/** By font and text. The thread ends with its document. */
const shapes = new Map<string, unknown>();

/** Each text is shaped once: of a long table it is five sixths of the time. `name`: of the font’s file. */
export function keepShapes(font: Shaper, name: string): void {
  if (keeping.has(font)) return;
  keeping.add(font);
  const shape = font.layoutRun.bind(font);
  font.layoutRun = (text, features) => {
    const key = `${name} ${features === undefined ? 'plain' : 'figures'} ${text}`;
    const known = shapes.get(key) ?? shape(text, features);
    shapes.set(key, known);
    return known;
  };
}
