import type { Page, Route } from 'playwright-core';
import { fetchAgain } from './bad-answers.ts';

/** A caption of the greatest length, without a place to break it. */
export const UNBROKEN = `${'harbour'.repeat(314)}!!`;
const CAPTIONS = [
  UNBROKEN,
  'صباح هادئ عند الميناء، والقوارب تعود محملة بالسمك والحكايات التي لا تنتهي',
  '港の朝、漁船が静かに戻ってくる。空は淡い桃色で、波の音だけが聞こえる。',
];
/** As long as the network lets names be. */
const LONG_NAME = 'w'.repeat(30);

interface Chunk {
  entity: string;
  rows: Array<[id: string, v: number, row: Record<string, unknown>]>;
}
type Row = Chunk['rows'][number];

/** Has the page's replica filled with hard captions and that many accounts, as if the server had sent them. */
export async function crowdReplica(page: Page, accounts: number): Promise<void> {
  await page.route('**/user/sync/snapshot?*', async (route: Route) => {
    const answer = await fetchAgain(route);
    const lines = (await answer.text()).trimEnd().split('\n');
    const told = lines.map((line) => JSON.stringify(crowded(JSON.parse(line) as object, accounts)));
    await route.fulfill({ response: answer, body: `${told.join('\n')}\n` });
  });
}

function crowded(line: object, accounts: number): object {
  if (!('entity' in line)) return line;
  const chunk = line as Chunk;
  if (chunk.entity === 'post') return { ...chunk, rows: chunk.rows.map(withCaption) };
  const [first] = chunk.rows;
  if (chunk.entity !== 'account' || !first) return line;
  const others = Array.from({ length: accounts - chunk.rows.length }, (_, nth) =>
    anotherAccount(first, nth),
  );
  return { ...chunk, rows: [...chunk.rows, ...others] };
}

const withCaption = ([id, v, row]: Row, nth: number): Row => [
  id,
  v,
  { ...row, caption: CAPTIONS[nth % CAPTIONS.length] },
];

function anotherAccount([, v, row]: Row, nth: number): Row {
  const accountId = `0192d3c0-0000-7000-8000-${String(nth).padStart(12, '0')}`;
  const igUsername = nth === 0 ? LONG_NAME : `client.${nth}`;
  const igId = String(17_841_500_000_000_000 + nth);
  return [accountId, v, { ...row, accountId, igUsername, igId }];
}
