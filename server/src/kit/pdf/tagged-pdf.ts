import Pdf from 'pdfkit';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { readFont, type Run, toRuns, type Weight } from './pdf-fonts.ts';

/** How a text stands on the page, in points. */
export interface Style {
  size: number;
  weight?: Weight;
  color?: string;
  align?: 'left' | 'right';
}

/** Where on the page, from the top left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
}

export interface Cell extends Style {
  text: string;
  x: number;
  width: number;
  /** What it is the heading of. */
  heads?: 'Row' | 'Column';
}

/** One page that says what it says to screen readers too. The same calls make the same bytes. */
export interface TaggedPdf {
  /** Writes a text in as many lines as it takes; what follows begins at the answer. */
  write(tag: 'H1' | 'H2' | 'P', text: string, box: Box, style: Style): number;
  /** Writes rows of cells one below the other; the same. */
  table(rows: readonly Cell[][], y: number, gap?: number): number;
  /** A line across, seen only. */
  rule(y: number): void;
  end(): Promise<Uint8Array<ArrayBuffer>>;
}

export const PAGE = { width: 595.28, height: 841.89, margin: 56 } as const;
export const TEXT_WIDTH = PAGE.width - 2 * PAGE.margin;
const LINE_HEIGHT = 1.45;
/** Of one width, or "7." would be set so close that it reads as one. */
const FIGURES: PDFKit.Mixins.TextOptions = { features: ['tnum'] };
const INK = '#1b1714';

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- the package has it since, its types don't
  namespace PDFKit.Mixins {
    interface StructureElementOptions {
      scope?: 'Row' | 'Column';
    }
  }
}

/** `at` is the date the file says it was made; no clock is read. */
export function createTaggedPdf({ title, at }: { title: string; at: Date }): TaggedPdf {
  const options = {
    size: [PAGE.width, PAGE.height],
    margin: 0,
    pdfVersion: '1.7',
    // The package's types don't know it yet.
    subset: 'PDF/UA' as string,
    tagged: true,
    displayTitle: true,
    lang: 'en-US',
    font: '',
    info: { Title: title, Author: PRODUCT_NAME, CreationDate: at, ModDate: at },
  };
  const doc = new Pdf(options as PDFKit.PDFDocumentOptions);
  const pieces: Buffer[] = [];
  doc.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve) => void doc.on('end', resolve));
  const root = doc.struct('Document');
  doc.addStructure(root);

  return {
    write(tag, text, box, style) {
      const lines = layOut(doc, text, box.width, style);
      root.add(doc.struct(tag, spoken(text), () => draw(doc, lines, box, style)));
      return box.y + lines.length * style.size * LINE_HEIGHT;
    },
    table(rows, y, gap = 0) {
      const table = doc.struct('Table');
      root.add(table);
      let top = y;
      for (const cells of rows) {
        top += drawRow(doc, table, cells, top) + gap;
      }
      table.end();
      return top;
    },
    rule(y) {
      doc.markContent('Artifact', { type: 'Layout' });
      doc.moveTo(PAGE.margin, y).lineTo(PAGE.width - PAGE.margin, y);
      doc.lineWidth(0.75).strokeColor('#d8cfc4').stroke();
      doc.endMarkedContent();
    },
    async end() {
      root.end();
      doc.end();
      await ended;
      return new Uint8Array(Buffer.concat(pieces));
    },
  };
}

/** @returns the height of the tallest cell */
function drawRow(
  doc: PDFKit.PDFDocument,
  table: ReturnType<PDFKit.PDFDocument['struct']>,
  cells: readonly Cell[],
  y: number,
): number {
  const row = doc.struct('TR');
  table.add(row);
  let height = 0;
  for (const cell of cells) {
    const lines = layOut(doc, cell.text, cell.width, cell);
    height = Math.max(height, lines.length * cell.size * LINE_HEIGHT);
    const options = { ...spoken(cell.text), ...(cell.heads && { scope: cell.heads }) };
    const tag = cell.heads ? 'TH' : 'TD';
    row.add(doc.struct(tag, options, () => draw(doc, lines, { ...cell, y }, cell)));
  }
  row.end();
  return height;
}

/** What can't be printed is read out and copied as it was written. */
function spoken(text: string): { actual?: string } {
  return toRuns(text).isWhole ? {} : { actual: text };
}

interface Line {
  runs: Run[];
  width: number;
}

/** Breaks a text at its spaces and line ends, and words that are wider than the box anywhere. */
function layOut(doc: PDFKit.PDFDocument, text: string, width: number, style: Style): Line[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [''];
    for (const word of paragraph.split(/(?<= )/)) {
      const line = lines.at(-1) ?? '';
      if (widthOf(doc, (line + word).trimEnd(), style) <= width) lines[lines.length - 1] += word;
      else if (widthOf(doc, word, style) <= width) lines.push(word);
      else lines.push(...breakWord(doc, word, width, style));
    }
    return lines
      .filter((line, index) => line !== '' || index > 0 || lines.length === 1)
      .map((line) => toLine(doc, line.trimEnd(), style));
  });
}

function breakWord(doc: PDFKit.PDFDocument, word: string, width: number, style: Style): string[] {
  const parts = [''];
  for (const letter of word) {
    const part = parts.at(-1) ?? '';
    if (part !== '' && widthOf(doc, part + letter, style) > width) parts.push(letter);
    else parts[parts.length - 1] = part + letter;
  }
  return parts;
}

const widthOf = (doc: PDFKit.PDFDocument, text: string, style: Style): number =>
  toLine(doc, text, style).width;

function toLine(doc: PDFKit.PDFDocument, text: string, style: Style): Line {
  const { runs } = toRuns(text);
  const width = runs.reduce(
    (sum, run) => sum + useFont(doc, run, style).widthOfString(run.text, FIGURES),
    0,
  );
  return { runs, width };
}

function useFont(doc: PDFKit.PDFDocument, { subset }: Run, style: Style): PDFKit.PDFDocument {
  const weight = style.weight ?? 400;
  const name = `${subset}-${weight}`;
  // Known by its name, it is parsed once for each document.
  return doc.registerFont(name, readFont(subset, weight)).font(name).fontSize(style.size);
}

function draw(doc: PDFKit.PDFDocument, lines: readonly Line[], box: Box, style: Style): void {
  let { y } = box;
  for (const [index, { runs, width }] of lines.entries()) {
    let x = style.align === 'right' ? box.x + box.width - width : box.x;
    for (const [place, run] of runs.entries()) {
      // Without a space the words at both sides of a line's end would be read as one.
      const isEnd = place === runs.length - 1 && index < lines.length - 1;
      useFont(doc, run, style)
        .fillColor(style.color ?? INK)
        .text(isEnd ? `${run.text} ` : run.text, x, y, { ...FIGURES, lineBreak: false });
      x += doc.widthOfString(run.text, FIGURES);
    }
    y += style.size * LINE_HEIGHT;
  }
}
