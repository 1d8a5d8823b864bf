import { keepShapes, readFont, type Run, type Shaper, toRuns, type Weight } from './pdf-fonts.ts';

/** How a text stands on the page, in points. */
export interface Style {
  size: number;
  weight?: Weight;
  color?: string;
  align?: 'left' | 'right';
}

/** Of one width, or "7." would be set so close that it reads as one. */
export const FIGURES: PDFKit.Mixins.TextOptions = { features: ['tnum'] };

export interface Line {
  runs: Run[];
  width: number;
}

/** Breaks a text at its spaces and line ends, and words that are wider than the box anywhere. */
export function layOut(doc: PDFKit.PDFDocument, text: string, width: number, style: Style): Line[] {
  return text.split('\n').flatMap((paragraph) => {
    const whole = toLine(doc, paragraph.trimEnd(), style);
    if (whole.width <= width) return [whole];
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

export function useFont(
  doc: PDFKit.PDFDocument,
  { subset }: Run,
  style: Style,
): PDFKit.PDFDocument {
  const weight = style.weight ?? 400;
  const name = `${subset}-${weight}`;
  // Known by its name, it is parsed once for each document.
  doc.registerFont(name, readFont(subset, weight)).font(name).fontSize(style.size);
  keepShapes(Reflect.get(doc, '_font') as Shaper, name);
  return doc;
}
