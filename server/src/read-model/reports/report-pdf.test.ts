import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import papa from 'papaparse';
import { expect, test } from 'vitest';
import {
  cellText,
  type ClientReport,
  reportLines,
  reportTables,
} from '#shared/domain/accounts/client-report.ts';
import { csvOf } from '#shared/domain/accounts/csv.ts';
import { daysOf } from '#shared/domain/accounts/report-month.ts';
import { pdfLines } from '#test/pdf-text.ts';
import { printReport } from './report.service.ts';
import { DELIVERED, draw, ORGANIC } from './report-pdf.ts';

/** Long enough for several pages; every figure another one, some of them unknown. */
function exampleReport(accounts: number): ClientReport {
  return {
    clientName: 'Łódź “Bakery”, on Main',
    agency: null,
    month: '2026-10',
    madeOn: '2026-11-23',
    totals: {
      posts: 1234,
      organic: 5_678_901,
      delivered: 34_567,
      retention: 0.9876,
      halfSeconds: 41,
      mostSeconds: 3725,
    },
    unknownPosts: 3,
    isDemoData: true,
    days: daysOf('2026-10').map((day, nth) => ({
      day,
      posts: nth,
      organic: 1000 + nth,
      delivered: 2000 + nth,
    })),
    accounts: Array.from({ length: accounts }, (_, nth) => ({
      igUsername: `name_${nth}`,
      posts: nth,
      organic: nth % 5 === 0 ? null : 10_000 + nth,
      delivered: 20_000 + nth,
      retention: nth % 7 === 0 ? null : nth / accounts,
      halfSeconds: nth % 3 === 0 ? null : nth,
      mostSeconds: nth % 3 === 0 ? null : 3600 + nth,
    })),
  };
}

test('the PDF has the numbers of the CSV, row by row, and no others in its tables', async () => {
  const report = exampleReport(70);
  const lines = pdfLines(await draw(report));
  const { data } = papa.parse<string[]>(csvOf(reportLines(report)));
  for (const { title, columns, rows } of Object.values(reportTables(report))) {
    const first = data.findIndex(([cell]) => cell === title) + 2;
    const ofFile = data.slice(first, first + rows.length).map((cells) =>
      columns.map(({ kind }, nth) => {
        const cell = cells[nth] ?? '';
        const isNumber = kind !== 'account' && kind !== 'day';
        return cellText(kind, cell === '' ? null : isNumber ? Number(cell) : cell);
      }),
    );
    const printed = ofFile.map(([name = '', ...cells]) => {
      const at = lines.findIndex((line, nth) => line === name && lines[nth + 1] === cells[0]);
      return lines.slice(at, at + 1 + cells.length);
    });
    expect(printed).toEqual(ofFile);
  }
  expect(lines).toContain('Demo data: likes are simulated by the sandbox.');
  expect(lines.filter((line) => line.startsWith('@'))).toHaveLength(70);
  expect(lines.filter((line) => /^Page \d$/.test(line))).toEqual(
    ['1', '2', '3'].map((page) => `Page ${page}`),
  );
});

test('the same report makes the same bytes, in a thread too; another one makes others', async () => {
  const hashOf = (pdf: Uint8Array): string => createHash('sha256').update(pdf).digest('hex');
  const [one, same, other] = [
    await draw(exampleReport(3)),
    await printReport(exampleReport(3), 'a'),
    await draw({ ...exampleReport(3), unknownPosts: 4 }),
  ];
  expect(hashOf(same)).toBe(hashOf(one));
  expect(hashOf(other)).not.toBe(hashOf(one));
});

test('organic and delivered likes have the colours that they have on the page', async () => {
  const theme = new URL('../../../../web/src/theme/tokens.css', import.meta.url);
  const light = (await readFile(theme, 'utf8')).split("[data-mantine-color-scheme='dark']")[0];
  expect(light).toContain(`--ov-organic: ${ORGANIC};`);
  expect(light).toContain(`--ov-purchased: ${DELIVERED};`);
});
