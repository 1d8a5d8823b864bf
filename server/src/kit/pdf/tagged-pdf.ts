import Pdf from 'pdfkit';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { toRuns } from './pdf-fonts.ts';
import { FIGURES, layOut, type Line, type Style, useFont } from './pdf-text.ts';

/** Where on the page, from the top left corner. */
interface Box {
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

/** What a picture is drawn with. */
export type Mark =
  | (Box & { height: number; color: string; isStriped?: boolean })
  | (Box & { text: string; style: Style });

/** A file that says what it says to screen readers too. The same calls make the same bytes. */
export interface TaggedPdf {
  /**
   * Writes a text in as many lines as it takes; what follows begins at the answer. `shown`: what is seen in its
   * place; screen readers read the text itself.
   */
  write(tag: 'H1' | 'H2' | 'P', text: string, box: Box, style: Style, shown?: string): number;
  /**
   * Writes rows of cells one below the other, on as many pages as they take; the same. A first row that heads
   * columns stands on each page.
   */
  table(rows: readonly Cell[][], y: number, gap?: number): number;
  /** A picture; `alt` says it in words. */
  figure(alt: string, box: Box & { height: number }, marks: readonly Mark[]): void;
  /** A PNG or JPEG as large as its box lets it be. */
  image(alt: string, box: Box & { height: number }, bytes: Uint8Array): void;
  /** Where something so high begins: there, or on a new page. */
  room(y: number, height: number): number;
  /** A line across, seen only. */
  rule(y: number): void;
  end(): Promise<Uint8Array<ArrayBuffer>>;
}

export const PAGE = { width: 595.28, height: 841.89, margin: 56 } as const;
export const TEXT_WIDTH = PAGE.width - 2 * PAGE.margin;
const LINE_HEIGHT = 1.45;
const BOTTOM = PAGE.height - PAGE.margin;
const FOOT: Style = { size: 8, color: '#6b5f55' };
const INK = '#1b1714';

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- the package has it since, its types don't
  namespace PDFKit.Mixins {
    interface StructureElementOptions {
      scope?: 'Row' | 'Column';
      bbox?: [left: number, top: number, right: number, bottom: number];
    }
  }
}

/** `at` is the date the file says it was made; no clock is read. `foot` stands below each page, with its number. */
export function createTaggedPdf({
  title,
  at,
  foot,
}: {
  title: string;
  at: Date;
  foot?: string;
}): TaggedPdf {
  const doc = newDocument(title, at);
  const pieces: Buffer[] = [];
  doc.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<void>((resolve) => void doc.on('end', resolve));
  const root = doc.struct('Document');
  doc.addStructure(root);
  const room = openPages(doc, foot);
  const figure = (
    alt: string,
    { x, y, width, height }: Box & { height: number },
    draws: () => void,
  ): void => {
    const bbox: [number, number, number, number] = [x, y, x + width, y + height];
    root.add(doc.struct('Figure', { alt, bbox }, draws));
  };

  return {
    room,
    write(tag, text, box, style, shown = text) {
      const lines = layOut(doc, shown, box.width, style);
      root.add(doc.struct(tag, spoken(text, shown), () => draw(doc, lines, box, style)));
      return box.y + lines.length * style.size * LINE_HEIGHT;
    },
    table(rows, y, gap = 0) {
      const table = doc.struct('Table');
      root.add(table);
      const below = drawTable({ doc, room, table }, rows, y, gap);
      table.end();
      return below;
    },
    figure: (alt, box, marks) => figure(alt, box, () => drawMarks(doc, marks)),
    image: (alt, box, bytes) =>
      figure(alt, box, () => {
        doc.image(Buffer.from(bytes), box.x, box.y, {
          fit: [box.width, box.height],
          align: 'right',
        });
      }),
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

function newDocument(title: string, at: Date): PDFKit.PDFDocument {
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
  return new Pdf(options as PDFKit.PDFDocumentOptions);
}

/** Begins the first page; the answer begins others when something has no room. */
function openPages(doc: PDFKit.PDFDocument, foot: string | undefined): TaggedPdf['room'] {
  let pages = 1;
  const writeFoot = (): void => {
    if (foot !== undefined) drawFoot(doc, foot, `Page ${pages}`);
  };
  writeFoot();
  return (y, height) => {
    if (y + height <= BOTTOM) return y;
    doc.addPage();
    pages += 1;
    writeFoot();
    return PAGE.margin;
  };
}

interface Sheet {
  doc: PDFKit.PDFDocument;
  room: TaggedPdf['room'];
  table: ReturnType<PDFKit.PDFDocument['struct']>;
}

function drawTable(sheet: Sheet, rows: readonly Cell[][], y: number, gap: number): number {
  const { doc, room } = sheet;
  const [first = []] = rows;
  const isHeaded = first.length > 0 && first.every(({ heads }) => heads === 'Column');
  let top = y;
  for (const cells of rows) {
    const lines = cells.map((cell) => layOut(doc, cell.text, cell.width, cell));
    const height = Math.max(0, ...lines.map((some, nth) => heightOf(some, cells[nth])));
    const at = room(top, height);
    top = isHeaded && at !== top ? at + repeatRow(doc, first, at) + gap : at;
    drawRow(sheet, cells, lines, top);
    top += height + gap;
  }
  return top;
}

function heightOf(lines: readonly Line[], style: Style | undefined): number {
  return lines.length * (style?.size ?? 0) * LINE_HEIGHT;
}

function drawRow(
  { doc, table }: Sheet,
  cells: readonly Cell[],
  lines: readonly Line[][],
  y: number,
): void {
  const row = doc.struct('TR');
  table.add(row);
  for (const [nth, cell] of cells.entries()) {
    const options = { ...spoken(cell.text), ...(cell.heads && { scope: cell.heads }) };
    const tag = cell.heads ? 'TH' : 'TD';
    row.add(doc.struct(tag, options, () => draw(doc, lines[nth] ?? [], { ...cell, y }, cell)));
  }
  row.end();
}

/** Seen on a further page; whoever hears the table knows its heads. @returns its height */
function repeatRow(doc: PDFKit.PDFDocument, cells: readonly Cell[], y: number): number {
  doc.markContent('Artifact', { type: 'Layout' });
  const heights = cells.map((cell) => {
    const lines = layOut(doc, cell.text, cell.width, cell);
    draw(doc, lines, { ...cell, y }, cell);
    return heightOf(lines, cell);
  });
  doc.endMarkedContent();
  return Math.max(...heights);
}

function drawFoot(doc: PDFKit.PDFDocument, foot: string, page: string): void {
  const box = { x: PAGE.margin, y: BOTTOM + 16, width: TEXT_WIDTH };
  doc.markContent('Artifact', { type: 'Pagination' });
  draw(doc, layOut(doc, foot, TEXT_WIDTH - 80, FOOT).slice(0, 1), box, FOOT);
  draw(doc, layOut(doc, page, 70, FOOT), box, { ...FOOT, align: 'right' });
  doc.endMarkedContent();
}

function drawMarks(doc: PDFKit.PDFDocument, marks: readonly Mark[]): void {
  for (const mark of marks) {
    if ('text' in mark) draw(doc, layOut(doc, mark.text, mark.width, mark.style), mark, mark.style);
    else if (mark.height > 0) {
      doc.rect(mark.x, mark.y, mark.width, mark.height).fill(mark.color);
      if (mark.isStriped) drawStripes(doc, mark);
    }
  }
}

const STRIPE = { every: 3.5, width: 1, color: '#ffffff' } as const;

/** Light stripes over a rectangle, rising to the right. */
function drawStripes(
  doc: PDFKit.PDFDocument,
  { x, y, width, height }: Box & { height: number },
): void {
  doc.save().rect(x, y, width, height).clip();
  // On one grid for the whole page: those of neighbours go on.
  const first = Math.ceil((x + y) / STRIPE.every) * STRIPE.every;
  for (let at = first; at < x + y + width + height; at += STRIPE.every) {
    doc.moveTo(at - y, y).lineTo(at - y - height, y + height);
  }
  doc.lineWidth(STRIPE.width).strokeColor(STRIPE.color).stroke().restore();
}

/** What can't be printed is read out as it was written. */
function spoken(text: string, shown = text): { actual?: string } {
  return shown === text && toRuns(text).isWhole ? {} : { actual: text };
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
