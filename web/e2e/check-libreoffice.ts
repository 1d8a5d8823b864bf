import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownersLogin } from '#test/documents/agency-login.ts';
import { launchBrowser } from './browser.ts';
import { startEmbedded } from './product.ts';

/**
 * `npm run check:libreoffice`: downloads an agency's table in a real browser, changes the plan in 300 of its rows in a
 * spreadsheet of LibreOffice, and uploads what that writes: exactly those 300 have changes, and no row has an error.
 * Needs LibreOffice (`soffice`).
 */
const ACCOUNTS = 900;
const EDITED = 300;
/** Commas, quotes and UTF-8, as LibreOffice names them. */
const CSV = 'Text - txt - csv (StarCalc):44,34,76,1';
/** A row of a sheet, one of its cells, and how often that stands beside itself, as LibreOffice keeps them. */
const ROW = /(?=<table:table-row\b)/;
const CELL = /<table:table-cell\b(?:[^>]*\/>|[^]*?<\/table:table-cell>)/g;
const REPEATED = /number-columns-repeated="(\d+)"/;
const PLAN_HEAD = '<text:p>Plan</text:p>';
const NUMBER = /office:value="\d+"([^>]*)>\s*<text:p>[\d,]+<\/text:p>/;
/** The dearest plan that is sold, which no account of the demo has. */
const DEAREST = 'office:value="10000"$1><text:p>10000</text:p>';

if (spawnSync('soffice', ['--version']).error) {
  process.stderr.write(
    'This check needs LibreOffice Calc, and no “soffice” was found. Install it (Debian, Ubuntu: “apt-get install libreoffice-calc”), or put the folder of “soffice” on the PATH.\n',
  );
  process.exit(1);
}

const directory = mkdtempSync(join(tmpdir(), 'ovation-libreoffice-'));
const product = await startEmbedded(undefined, 'on', {
  command: ['server/src/main/demo-agency.ts', `${ACCOUNTS}`, '900'],
});
const browser = await launchBrowser();
try {
  const page = await browser.newPage();
  const { email, password } = ownersLogin(product.greeting);
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
  await page.goto(`${product.url}/my-subscriptions`);
  await page.locator(`[role="grid"][aria-rowcount="${ACCOUNTS + 3}"]`).waitFor();
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const save = page.getByRole('dialog').getByRole('button', { name: 'Save as CSV' });
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const downloaded = join(directory, 'accounts.csv');
  await download.saveAs(downloaded);

  const sheet = convert(downloaded, 'fods', [`--infilter=${CSV}`]);
  writeFileSync(sheet, edit(readFileSync(sheet, 'utf8')));
  const edited = convert(sheet, 'csv', []);

  await page.getByRole('button', { name: 'Upload CSV' }).click();
  await page.getByLabel('CSV file').setInputFiles(edited);
  const dialog = page.getByRole('dialog', { name: 'Upload a CSV' });
  await dialog.getByText('with changes').waitFor();
  const counts = await dialog.getByText('with changes').innerText();
  process.stdout.write(`${counts}\n`);
  const expected = `: ${EDITED} with changes, ${ACCOUNTS + 1 - EDITED} without, 0 with errors.`;
  if (!counts.endsWith(expected)) throw new Error(`Expected "…${expected}"`);
} finally {
  await browser.close();
  await product.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** What LibreOffice makes of a file, beside it. */
function convert(file: string, kind: 'csv' | 'fods', options: readonly string[]): string {
  const profile = `-env:UserInstallation=file://${join(directory, 'profile')}`;
  const to = kind === 'csv' ? `csv:${CSV}` : kind;
  execFileSync(
    'soffice',
    [profile, '--headless', ...options, '--convert-to', to, '--outdir', directory, file],
    { stdio: 'pipe' },
  );
  return file.replace(/\w+$/, kind);
}

/** Gives the first rows that have a plan the dearest one. */
function edit(sheet: string): string {
  const [before = '', head = '', ...rows] = sheet.split(ROW);
  const planColumn = (head.match(CELL) ?? []).findIndex((cell) => cell.includes(PLAN_HEAD));
  let left = EDITED;
  const edited = rows.map((row) => {
    let column = 0;
    return row.replace(CELL, (cell) => {
      const isPlan = column === planColumn;
      column += Number(REPEATED.exec(cell)?.[1] ?? 1);
      if (!isPlan || left === 0 || !NUMBER.test(cell)) return cell;
      left -= 1;
      return cell.replace(NUMBER, DEAREST);
    });
  });
  if (left > 0) throw new Error(`Only ${EDITED - left} rows have a plan`);
  return [before, head, ...edited].join('');
}
