import { expect, test } from 'vitest';
import {
  downloadReport,
  findReport,
  findReportMail,
  type ReportMail,
  saveReportBrand,
  saveReportMail,
} from '#shared/contract/accounts/report.ts';
import type { ClientReport } from '#shared/domain/accounts/client-report.ts';
import { refuse } from '#web/testing/dom/fake-server.ts';
import { openPage } from '#web/testing/dom/open-page.ts';
import { userExample } from '#web/testing/examples.ts';

const BAKERY = '0192d3c0-0000-7000-8000-0000000000d0';
const figures = { posts: 2, organic: 40, delivered: 1070, retention: 0.9 };
const times = { halfSeconds: 30, mostSeconds: 200 };
const REPORT: ClientReport = {
  clientName: null,
  agency: null,
  month: '2026-11',
  madeOn: '2026-11-02',
  totals: { ...figures, ...times },
  unknownPosts: 1,
  days: [
    { day: '2026-11-01', posts: 1, organic: 40, delivered: 1000 },
    { day: '2026-11-02', posts: 1, organic: 0, delivered: 70 },
  ],
  accounts: [{ igUsername: 'bread', ...figures, ...times, organic: null }],
};
const FOUND = {
  clients: [{ id: BAKERY, name: 'Bakery' }],
  seesAll: true,
  clientId: null,
  newestMonth: '2026-11',
  report: REPORT,
};

const MAIL: ReportMail = {
  brand: null,
  addresses: [],
  waiting: [],
  members: [{ id: BAKERY, name: 'Bob Boole', email: 'bob@example.test', isChosen: false }],
  next: null,
  lastSent: null,
};

test('a report is chosen by client and month, shown, and saved as PDF and CSV with the same figures', async () => {
  const saved: Array<[name: string, content: unknown]> = [];
  const page = await openPage('/my-reports', {
    user: userExample(),
    replica: {},
    platform: { saveFile: (name, content) => void saved.push([name, content]) },
    server: (server) => {
      server.gives(findReport, FOUND);
      server.gives(findReportMail, MAIL);
    },
  });
  await page.getByText('3 min 20 s').first().waitFor();
  await page.getByText(/Organic likes of 1 post aren’t known/).waitFor();
  const keys = page.getByRole('figure').getByLabel('Read the chart');
  await keys.fill('0');
  await expect
    .poll(() => keys.getAttribute('aria-valuetext'))
    .toBe('Nov 1: 40 organic, 1,000 delivered');
  const of = { ...FOUND, clientId: BAKERY, report: { ...REPORT, clientName: 'Bakery' } };
  page.server.gives(findReport, of);
  await page.getByLabel('Client', { exact: true }).selectOption(BAKERY);
  await page.waitForPath(`/my-reports?client=${BAKERY}`);
  await expect.poll(() => page.server.asked(findReport).length).toBe(2);
  page.server.gives(downloadReport, { fileName: 'report-bakery-2026-11.pdf', pdf: btoa('%PDF') });
  await page.button('Download as PDF').click();
  await expect.poll(() => saved.length).toBe(1);
  expect(page.server.asked(downloadReport)[0]?.input).toMatchObject({ clientId: BAKERY });
  await expect.poll(() => page.server.asked(findReport).length).toBe(2);
  await page.button('Download as CSV').click();
  expect(saved.map(([name]) => name)).toEqual([
    'report-bakery-2026-11.pdf',
    'report-bakery-2026-11.csv',
  ]);
  expect(saved[1]?.[1]).toContain('bread,2,,1070,90,30,200\r\n');
});

test('a day has a bar of its own for each kind of likes, and none without likes', async () => {
  const page = await openPage('/my-reports', {
    user: userExample(),
    replica: {},
    server: (server) => {
      const days = [...REPORT.days, { day: '2026-11-03', posts: 0, organic: 0, delivered: 0 }];
      server.gives(findReport, { ...FOUND, report: { ...REPORT, days } });
      server.gives(findReportMail, MAIL);
    },
  });
  await page.getByRole('figure').waitFor();
  const bars = (tone: string): number | undefined =>
    document.querySelector(`figure path[data-tone="${tone}"]`)?.getAttribute('d')?.match(/M/g)
      ?.length;
  expect([bars('organic'), bars('purchased')]).toEqual([1, 2]);
});

test('of many accounts the first of any order are shown, then all; files have all of them', async () => {
  let saved = '';
  const [one] = REPORT.accounts;
  if (!one) throw new Error('the report has one account');
  const accounts = Array.from({ length: 500 }, (_, nth) => ({
    ...one,
    igUsername: `bread.${nth}`,
  }));
  const page = await openPage('/my-reports', {
    user: userExample(),
    replica: {},
    platform: { saveFile: (_, content) => void (saved = String(content)) },
    server: (server) => {
      server.gives(findReport, { ...FOUND, report: { ...REPORT, accounts } });
      server.gives(findReportMail, MAIL);
    },
  });
  const rowCount = () => document.querySelector('[role="table"]')?.getAttribute('aria-rowcount');
  await page.button('Show all 500 accounts').waitFor();
  expect(rowCount()).toBe('51');
  await page.button('Download as CSV').click();
  expect(saved.match(/^bread\./gm)).toHaveLength(500);
  await page.button('Show all 500 accounts').click();
  await expect.poll(rowCount).toBe('501');
});

test('a client that is gone is said in a sentence; without a connection the page says what it needs', async () => {
  const sentence = 'This client is gone, or you don’t see their accounts.';
  const gone = await openPage(`/my-reports?client=${BAKERY}`, {
    user: userExample(),
    replica: {},
    server: (server) => server.next(findReport, refuse('not_found', sentence)),
  });
  await gone.getByText(sentence).waitFor();
  const offline = await openPage('/my-reports', {
    user: userExample(),
    replica: {},
    platform: { isOnline: () => false },
  });
  await offline.getByText('A report needs a connection.').waitFor();
  expect(offline.getByText(/You’re offline/).count()).toBe(1);
  expect(offline.server.asked(findReport)).toEqual([]);
});

test('a manager chooses who is mailed, is told of a bad address beside it, and gives the reports a name', async () => {
  const page = await openPage('/my-reports', {
    user: userExample(),
    replica: {},
    server: (server) => {
      server.gives(findReport, FOUND);
      server.gives(findReportMail, MAIL);
    },
  });
  const sentence = 'Please enter a valid email';
  page.server.next(saveReportMail, refuse('invalid_input', sentence, { addresses: sentence }));
  await page.getByLabel('Bob Boole, bob@example.test').click();
  await page.getByLabel('Other email addresses').fill('baker@example.test\nnobody');
  await page.button('Save monthly email').click();
  await page.getByText(sentence).waitFor();
  const next = { month: '2026-11', at: '2026-12-02T08:00:00.000Z' };
  page.server.gives(saveReportMail, { ...MAIL, next, waiting: ['baker@example.test'] });
  await page.button('Save monthly email').click();
  await page.getByText('Waiting for confirmation: baker@example.test.').waitFor();
  await page.getByText(/The report for November 2026 goes out on Dec 2, 2026/).waitFor();
  expect(page.server.asked(saveReportMail)[1]?.input).toMatchObject({
    clientId: null,
    addresses: ['baker@example.test', 'nobody'],
    memberIds: [BAKERY],
  });
  page.server.gives(saveReportBrand, { ...MAIL, next, brand: { name: 'Acme', logo: null } });
  page.server.gives(findReport, {
    ...FOUND,
    report: { ...REPORT, agency: { name: 'Acme', logo: null } },
  });
  await page.getByLabel('Name on reports').fill('Acme');
  await page.button('Save name and logo').click();
  await page.getByText('By Acme').waitFor();
  expect(page.server.asked(saveReportBrand)[0]?.input).not.toHaveProperty('logo');
});
