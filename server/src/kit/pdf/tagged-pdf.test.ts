import { inflateSync } from 'node:zlib';
import Pdf from 'pdfkit';
import { expect, test } from 'vitest';
import { isPrintable } from '#shared/domain/words/printed-letters.ts';
import { readFont, type Run, toRuns, type Weight } from './pdf-fonts.ts';
import { createTaggedPdf, PAGE, TEXT_WIDTH } from './tagged-pdf.ts';

const AT = new Date('2026-11-23T10:00:00Z');
const BOX = { x: PAGE.margin, y: PAGE.margin, width: TEXT_WIDTH };

async function drawn(name: string): Promise<Buffer> {
  const pdf = createTaggedPdf({ title: 'A title', at: AT });
  const y = pdf.write('H1', 'Heading', BOX, { size: 20, weight: 600 });
  const below = pdf.write('P', name, { ...BOX, y }, { size: 10 });
  pdf.rule(below);
  const cell = { size: 10, x: BOX.x, width: 200 } as const;
  pdf.table(
    [
      [
        { ...cell, text: 'Label', heads: 'Row' },
        { ...cell, text: 'Value' },
      ],
    ],
    below + 10,
  );
  return Buffer.from(await pdf.end());
}

/** The file with its streams unpacked, as far as they are text. */
function unpacked(pdf: Buffer): string {
  return pdf
    .toString('latin1')
    .replaceAll(/stream\r?\n([\s\S]*?)endstream/g, (all, packed: string) => {
      try {
        return `stream\n${inflateSync(Buffer.from(packed, 'latin1')).toString('latin1')}endstream`;
      } catch {
        return all;
      }
    });
}

test('the file says what it is to screen readers: title, language, structure, scopes', async () => {
  const text = unpacked(await drawn('Ada'));
  const wanted = [
    '>A title</rdf:li>',
    '/Marked true',
    '/Lang (en-US)',
    '/DisplayDocTitle true',
    'pdfuaid:part>1<',
    '/S /H1',
    '/S /Table',
    '/S /TH',
    '/Scope /Row',
    '/Artifact',
    '/ToUnicode',
  ];
  expect(wanted.filter((said) => !text.includes(said))).toEqual([]);
  expect(text.includes('Helvetica')).toBe(false);
});

test('the same calls make the same bytes, whenever; other ones others', async () => {
  const [one, same, other] = [await drawn('Ada'), await drawn('Ada'), await drawn('Bo')];
  expect(one.equals(same)).toBe(true);
  expect(one.equals(other)).toBe(false);
  expect(unpacked(one).includes('D:20261123100000Z')).toBe(true);
});

test('letters of Europe are printed; of a text that has others the words stand beside it', async () => {
  for (const name of ['Łukasz Żółć', 'Đặng Ánh', 'Ωμέγα', 'Привет', 'Ångström “&” Søn – 1 €']) {
    expect(toRuns(name).isWhole).toBe(true);
    expect(unpacked(await drawn(name)).includes('/ActualText')).toBe(false);
  }
  expect(toRuns('山田 Ada 🎁')).toEqual({
    runs: [{ subset: 'latin', text: '… Ada ' }],
    isWhole: false,
  });
  expect(unpacked(await drawn('山田 Ada')).includes('/ActualText')).toBe(true);
});

test('every letter that counts as printable is in the font, in both weights', () => {
  const doc = new Pdf({ font: '' });
  const fonts = new Map<string, { font: { hasGlyphForCodePoint(code: number): boolean } }>();
  const hasGlyph = ({ subset, text }: Run, weight: Weight): boolean => {
    const name = `${subset}-${weight}`;
    if (!fonts.has(name)) {
      doc.registerFont(name, readFont(subset, weight)).font(name);
      fonts.set(name, Reflect.get(doc, '_font'));
    }
    return fonts.get(name)?.font.hasGlyphForCodePoint(text.codePointAt(0) ?? 0) ?? false;
  };
  const letters = Array.from({ length: 0xd8_00 }, (_, code) => String.fromCharCode(code)).filter(
    (letter) => /[\p{L}\p{M}\p{N}]/u.test(letter) && letter.normalize('NFC') === letter,
  );
  const printable = letters.filter(isPrintable);
  expect(printable.length).toBeGreaterThan(1200);
  const lacking = printable.filter((letter) => {
    const { runs } = toRuns(letter);
    return !runs.every((run) => hasGlyph(run, 400) && hasGlyph(run, 600)) || runs.length !== 1;
  });
  expect(lacking).toEqual([]);
  for (const other of ['山', 'あ', 'ア', '가', 'م', 'א', 'ก', 'अ', 'Ａ', '𝐀', '١']) {
    expect(isPrintable(other)).toBe(false);
  }
});

test('a text that is wider than its box goes on below, a long word too', async () => {
  const pdf = createTaggedPdf({ title: 'x', at: AT });
  const style = { size: 10 };
  const one = pdf.write('P', 'short', BOX, style) - BOX.y;
  const narrow = { ...BOX, width: 60 };
  expect(pdf.write('P', 'several words in a narrow box', narrow, style) - BOX.y).toBeCloseTo(
    3 * one,
  );
  const long = pdf.write('P', 'x'.repeat(40), narrow, style) - BOX.y;
  expect(long / one).toBeGreaterThan(3);
  expect(pdf.write('P', 'two\nlines', BOX, style) - BOX.y).toBeCloseTo(2 * one);
  await pdf.end();
});
