import { inflateSync } from 'node:zlib';

/**
 * What a file of `tagged-pdf.ts` prints, a line of text each, in the order it is drawn: glyphs looked up in what the
 * file says of its own fonts. It knows no other files.
 */
export function pdfLines(pdf: Uint8Array): string[] {
  const objects = readObjects(Buffer.from(pdf).toString('latin1'));
  const letters = new Map(
    [...objects.values()].flatMap(({ head }) =>
      [...head.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => [
        name,
        readLetters(objects, id),
      ]),
    ),
  );
  return [...objects.values()].flatMap(({ content }) => linesOf(content, letters));
}

interface PdfObject {
  head: string;
  /** Its stream, unpacked; empty without one. */
  content: string;
}

function readObjects(file: string): Map<string, PdfObject> {
  const objects = [...file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)];
  return new Map(objects.map(([, id = '', text = '']) => [id, readObject(text)]));
}

function readObject(text: string): PdfObject {
  const [head = '', packed = ''] = text.split(/stream\r?\n/);
  if (!head.includes('/FlateDecode') || head.includes('/Subtype')) return { head, content: '' };
  return { head, content: inflateSync(Buffer.from(packed, 'latin1')).toString('latin1') };
}

/** The letters of a font by its glyphs, four hexadecimal digits each. */
function readLetters(objects: ReadonlyMap<string, PdfObject>, fontId: string): string[] {
  const [, mapId = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(fontId)?.head ?? '') ?? [];
  const map = objects.get(mapId)?.content ?? '';
  const letters: string[] = [];
  for (const [, from = '', list = ''] of map.matchAll(/<([\da-f]+)> <[\da-f]+> \[(.*?)\]/gis)) {
    for (const [nth, [, units = '']] of [...list.matchAll(/<([\da-f ]*)>/gi)].entries()) {
      letters[Number.parseInt(from, 16) + nth] = fromUtf16(units);
    }
  }
  return letters;
}

const fromUtf16 = (units: string): string =>
  (units.match(/[\da-f]{4}/gi) ?? [])
    .map((unit) => String.fromCharCode(Number.parseInt(unit, 16)))
    .join('');

function linesOf(content: string, letters: ReadonlyMap<string, string[]>): string[] {
  return [...content.matchAll(/BT\n([\s\S]*?)ET/g)].map(([, shown = '']) => {
    const [, name = ''] = /\/(F\d+) /.exec(shown) ?? [];
    const font = letters.get(name) ?? [];
    const glyphs = [...shown.matchAll(/<([\da-f]+)>/gi)].flatMap(
      ([, run = '']) => run.match(/.{4}/g) ?? [],
    );
    return glyphs.map((glyph) => font[Number.parseInt(glyph, 16)] ?? '?').join('');
  });
}
