import { expect, test } from 'vitest';
import { postRow } from '#web/testing/dom/replica.ts';
import { openPage } from '#web/testing/dom/open-page.ts';
import { userExample } from '#web/testing/examples.ts';

const weekAgo = postRow({
  id: '1',
  takenAt: '2026-11-12T09:10:00.000Z',
  organicLikes: 7,
  deliveredLikes: 0,
  edge_media_preview_like: { count: 7 },
  order: null,
});
const now = postRow({ id: '2', takenAt: '2026-11-21T09:10:00.000Z' });

test('the chart is read out by keyboard, week by week, and its numbers are saved as a table', async () => {
  const saved: string[] = [];
  const page = await openPage('/dashboard?chart=open', {
    user: userExample(),
    replica: { post: [now, weekAgo] },
    platform: { saveFile: (name, text) => void saved.push(name, String(text)) },
  });
  const chart = page.getByRole('figure');
  const keys = chart.getByLabel('Read the chart');
  const said = () => keys.getAttribute('aria-valuetext');
  await expect.poll(said).toBe('Week of Nov 16, 2026: 10 organic, 20 delivered');
  await keys.fill('0');
  await expect.poll(said).toBe('Week of Nov 9, 2026: 7 organic, 0 delivered');
  await chart.getByRole('button', { name: 'Download CSV' }).click();
  const sample = page.getByRole('dialog', { name: 'What’s in the file' });
  await sample.getByText('2 rows, 3 columns.').waitFor();
  await sample.getByText('Totals: Organic 17, Delivered 20.').waitFor();
  await sample.getByRole('button', { name: 'Save as CSV' }).click();
  await sample.waitFor({ state: 'gone' });
  expect(saved).toEqual([
    'likes-by-week.csv',
    expect.stringMatching(
      /^\uFEFFWeek of,Organic,Delivered\r?\n"Nov 16, 2026",10,20\r?\n"Nov 9, 2026",7,0/,
    ),
  ]);
});

test('the chart makes place for its table, and the table for the chart', async () => {
  const page = await openPage('/dashboard?chart=open', {
    user: userExample(),
    replica: { post: [now, weekAgo] },
  });
  const chart = page.getByRole('figure');
  const img = chart.getByRole('img');
  await img.waitFor();
  await chart.getByText('Show as table').click();
  await chart.getByText('Show as chart').waitFor();
  expect(img.count()).toBe(0);
  await chart.getByText('Show as chart').click();
  await chart.getByText('Show as table').waitFor();
  expect(img.count()).toBe(1);
});

test('without any likes there is no chart, and it says so', async () => {
  const none = { organicLikes: 0, deliveredLikes: 0, edge_media_preview_like: { count: 0 } };
  const page = await openPage('/dashboard?chart=open', {
    user: userExample(),
    replica: { post: [postRow({ ...none, order: null })] },
  });
  await page.getByText('No likes to show yet.').waitFor();
  expect(page.getByRole('figure').count()).toBe(0);
});
