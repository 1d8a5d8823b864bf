import {
  cellText,
  type ClientReport,
  type ReportTable,
  reportNotes,
  reportTables,
  reportTitle,
} from '#shared/domain/accounts/client-report.ts';
import { monthInWords } from '#shared/domain/accounts/report-month.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import {
  type Cell,
  createTaggedPdf,
  type Mark,
  PAGE,
  type TaggedPdf,
  TEXT_WIDTH,
} from '#server/kit/pdf/tagged-pdf.ts';

const INK = '#1b1714';
const SOFT = '#6b5f55';
const BRAND = '#7a1f2b';
/** As the charts of the product have them on paper white: tokens of `tokens.css`. */
export const ORGANIC = '#2f5d73';
export const DELIVERED = '#c07a12';
const { margin } = PAGE;
const CHART_HEIGHT = 110;
const LOGO = { width: 150, height: 50 };

/** A report as tagged pages. It is made of the report alone: the same report, the same bytes. */
export async function draw(report: ClientReport): Promise<Uint8Array<ArrayBuffer>> {
  const by = report.agency?.name ?? PRODUCT_NAME;
  const month = monthInWords(report.month);
  const title = `${reportTitle(report)}, ${month}`;
  const at = new Date(`${report.madeOn}T00:00:00Z`);
  const pdf = createTaggedPdf({ title, at, foot: `${by}: ${title}` });
  const { totals, days, accounts } = reportTables(report);
  const whole = { x: margin, width: TEXT_WIDTH };
  const logo = report.agency?.logo;
  if (logo) {
    const box = { x: PAGE.width - margin - LOGO.width, y: margin, ...LOGO };
    pdf.image(`Logo of ${by}`, box, Buffer.from(logo, 'base64'));
  }
  let y = pdf.write('P', by, { ...whole, y: margin }, { size: 11, weight: 600, color: BRAND });
  y = pdf.write('H1', reportTitle(report), { ...whole, y: y + 6 }, { size: 26, weight: 600 });
  y = pdf.write('P', month, { ...whole, y }, { size: 12, color: SOFT });
  y = writeTotals(pdf, totals, y + 14);
  y = drawChart(pdf, report, y + 16);
  for (const note of reportNotes(report)) {
    y = pdf.write('P', note, { ...whole, y: y + 4 }, { size: 8.5, color: SOFT });
  }
  y = writeTable(pdf, accounts, pdf.room(y + 18, 120));
  writeTable(pdf, days, pdf.room(y + 18, 120));
  return pdf.end();
}

/** The figures of all, large, with their names above them. */
function writeTotals(
  pdf: TaggedPdf,
  { columns, rows: [row = []] }: ReportTable,
  y: number,
): number {
  const width = TEXT_WIDTH / columns.length;
  const at = (nth: number) => ({ x: margin + nth * width, width: width - 8 });
  const heads = columns.map(({ label }, nth): Cell => ({
    text: label,
    ...at(nth),
    size: 8,
    color: SOFT,
    heads: 'Column',
  }));
  const figures = columns.map(({ kind }, nth): Cell => {
    const text = cellText(kind, row[nth] ?? null);
    // On one line, however long.
    return { text, ...at(nth), size: Math.min(15, 118 / text.length), weight: 600 };
  });
  pdf.rule(y);
  const below = pdf.table([heads, figures], y + 10, 2);
  pdf.rule(below + 6);
  return below + 6;
}

/** Organic and delivered likes of each day, one on the other. */
function drawChart(pdf: TaggedPdf, { days, totals }: ClientReport, y: number): number {
  const most = Math.max(1, ...days.map(({ organic, delivered }) => organic + delivered));
  const step = TEXT_WIDTH / Math.max(1, days.length);
  const base = y + 16 + CHART_HEIGHT;
  const height = (likes: number): number => (likes / most) * CHART_HEIGHT;
  const bars = days.flatMap(({ organic, delivered }, nth): Mark[] => {
    const bar = { x: margin + nth * step + step * 0.15, width: step * 0.7 };
    const [low, high] = [height(organic), height(delivered)];
    return [
      { ...bar, y: base - low, height: low, color: ORGANIC },
      { ...bar, y: base - low - high, height: high, color: DELIVERED, isStriped: true },
    ];
  });
  const dates = days.flatMap(({ day }, nth): Mark[] =>
    nth % 7 === 0
      ? [label(cellText('day', day), { x: margin + nth * step, y: base + 4, width: 60 })]
      : [],
  );
  const marks: Mark[] = [
    { x: margin, y, width: 8, height: 8, color: ORGANIC },
    label('Organic', { x: margin + 12, y: y - 2, width: 60 }),
    { x: margin + 70, y, width: 8, height: 8, color: DELIVERED, isStriped: true },
    label('Delivered', { x: margin + 82, y: y - 2, width: 60 }),
    { x: margin, y: base, width: TEXT_WIDTH, height: 0.75, color: '#d8cfc4' },
    ...bars,
    ...dates,
  ];
  const sums = [totals.organic, totals.delivered].map((likes) => cellText('count', likes));
  pdf.figure(
    `Likes by day posted: ${sums[0]} organic and ${sums[1]} delivered in all. The last table has each day.`,
    { x: margin, y, width: TEXT_WIDTH, height: base + 16 - y },
    marks,
  );
  return base + 24;
}

const label = (text: string, box: { x: number; y: number; width: number }): Mark => ({
  ...box,
  text,
  style: { size: 8, color: SOFT },
});

/** What a column needs; the first takes what is left. */
const WIDTHS = { account: 0, day: 0, count: 57, share: 48, seconds: 71 } as const;

function writeTable(pdf: TaggedPdf, { title, columns, rows }: ReportTable, y: number): number {
  const heading = { size: 13, weight: 600 } as const;
  const below = pdf.write('H2', title, { x: margin, y, width: TEXT_WIDTH }, heading);
  const widths = columns.map(({ kind }) => WIDTHS[kind]);
  const taken = widths.reduce((sum: number, width) => sum + width, 0);
  const place = (nth: number) => {
    if (nth === 0) return { x: margin, width: TEXT_WIDTH - taken - 8 };
    const after = widths.slice(nth).reduce((sum: number, width) => sum + width, 0);
    const x = margin + TEXT_WIDTH - after;
    return { x, width: (widths[nth] ?? 0) - 4, align: 'right' as const };
  };
  const heads = columns.map((column, nth): Cell => ({
    text: column.label,
    ...place(nth),
    size: 7.5,
    weight: 600,
    color: SOFT,
    heads: 'Column',
  }));
  const lines = rows.map((row) =>
    columns.map(({ kind }, nth): Cell => ({
      text: cellText(kind, row[nth] ?? null),
      ...place(nth),
      size: 8.5,
      color: INK,
      ...(nth === 0 && { heads: 'Row' as const }),
    })),
  );
  return pdf.table([heads, ...lines], below + 6, 3);
}
