import { Arranger, type Arrangement } from '#web/ui/grid/arranger.ts';
import { TableBuilder } from '#web/ui/grid/build-table.ts';
import type { GridColumn } from '#web/ui/grid/grid-column.ts';
import { Figures, median } from './figures.ts';

/**
 * `npm run bench:accounts [rows] [repetitions]`: sorting and filtering the table of accounts, beside the least that
 * work of its kind takes: sorting as many numbers, and looking once for a word in as many texts. Ends with 1 where
 * an arrangement takes longer than its bound; with fewer repetitions than usual nothing is judged.
 */
const limit = Number(process.argv[2] ?? 100_000);
const USUAL = 5;
const repetitions = Number(process.argv[3] ?? USUAL);
/** Rows, and within how many milliseconds a filter or an order stands. */
const BOUNDS = [
  [5000, 100],
  [100_000, 300],
] as const;

interface Row {
  name: string;
  plan: number;
  state: string;
  tags: readonly string[];
  likes: number;
}

const STATES = ['Active', 'Paused', 'Past due', 'Canceled', 'Expired', 'No plan'];
const TAGS = ['VIP', 'new', 'spring', 'fashion', 'food'];
const usual = { label: '', isUsual: true, isSearched: true, width: 0 };
const COLUMNS: ReadonlyArray<GridColumn<Row>> = [
  { ...usual, key: 'name', kind: 'text', text: ({ name }) => name },
  { ...usual, key: 'state', kind: 'choice', text: ({ state }) => state },
  {
    ...usual,
    key: 'tags',
    kind: 'tags',
    text: ({ tags }) => tags.join(),
    value: ({ tags }) => tags,
  },
  { ...usual, key: 'plan', kind: 'number', text: () => '', value: ({ plan }) => plan },
  { ...usual, key: 'likes', kind: 'number', text: () => '', value: ({ likes }) => likes },
];

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, nth) => {
    // Scattered, and the same each time.
    const mixed = (nth * 2_654_435_761) % 4_294_967_296;
    return {
      name: `client${mixed % 997}.account${nth}`,
      plan: [50, 100, 250, 500][mixed % 4] ?? 50,
      state: STATES[mixed % STATES.length] ?? '',
      tags: TAGS.filter((_tag, at) => (mixed >> at) % 5 === 0),
      likes: mixed % 100_000,
    };
  });

const NONE: Arrangement = { search: '', filters: [], sorts: [] };
const up = (key: string, isDescending = false) => ({ key, isDescending });
/** What somebody asks for, and what it is compared with. */
const ARRANGEMENTS: ReadonlyArray<
  [what: string, floor: 'sort' | 'search', arrangement: Arrangement]
> = [
  ['order by name, first time', 'sort', { ...NONE, sorts: [up('name')] }],
  ['order by likes, down', 'sort', { ...NONE, sorts: [up('likes', true)] }],
  [
    'order by three columns',
    'sort',
    { ...NONE, sorts: [up('state'), up('plan', true), up('name')] },
  ],
  ['search for two words', 'search', { ...NONE, search: 'client7 paused' }],
  [
    'three filters',
    'search',
    {
      ...NONE,
      filters: [
        { key: 'likes', kind: 'range', from: 500, to: 60_000 },
        { key: 'tags', kind: 'oneOf', of: ['VIP', 'food'] },
        { key: 'name', kind: 'text', has: 'account1' },
      ],
    },
  ],
];

/** Milliseconds of computing, which don’t grow while the machine does something else. */
function timed(work: () => void): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

const repeated = (work: () => void): number =>
  median(Array.from({ length: repetitions }, () => timed(work)));

function floorsOf(rows: readonly Row[]): Record<'sort' | 'search', number> {
  const numbers = Float64Array.from(rows, ({ likes }) => likes);
  const texts = rows.map(({ name, state }) => `${name}\n${state}`);
  return {
    sort: repeated(() => numbers.slice().sort()),
    search: repeated(() => texts.filter((text) => text.includes('client7'))),
  };
}

const figures = new Figures(repetitions >= USUAL);
for (const [count, boundMs] of BOUNDS) {
  if (count > limit) continue;
  const rows = rowsOf(count);
  const floors = floorsOf(rows);
  for (const [what, floor, arrangement] of ARRANGEMENTS) {
    // Each time a table that has worked nothing out yet: what the page does when accounts have changed.
    const ms = repeated(() => {
      const { data } = new TableBuilder(COLUMNS).build(rows);
      new Arranger().arrange(data, arrangement);
    });
    const more = `${(ms / floors[floor]).toFixed(1)} times its floor`;
    figures.tell(`${count} rows, ${what}`, ms, { unit: 'ms', limit: boundMs, more });
  }
}
process.exitCode = figures.end();
