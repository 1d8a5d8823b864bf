import type { Changes, Measured } from './measure-client.ts';

export interface Row {
  name: string;
  codeBytes: number | undefined;
  runs: readonly Measured[];
}

const headOf = ({ missed }: Changes): string[] => [
  'client',
  'first 50 visible',
  'durable first sync',
  'live p50 / p99',
  `catch-up of ${missed}`,
  'wire',
  'code, gzip',
  'server memory',
  'content',
];

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function share(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

const known = (values: ReadonlyArray<number | undefined>): number[] =>
  values.filter((value) => value !== undefined);

const amount = (values: readonly number[], shown: (value: number) => string): string =>
  values.length === 0 ? '–' : shown(median(values));

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const mb = (bytes: number): string => `${(bytes / 1_000_000).toFixed(2)} MB`;

/** Medians of the runs, as a table of Markdown. */
export function table(rows: readonly Row[], changes: Changes): string {
  const head = headOf(changes);
  const lines = rows.map(({ name, codeBytes, runs }) => {
    const live = runs.flatMap(({ liveMs }) => liveMs);
    const whole = runs.filter(({ isWhole }) => isWhole).length;
    return [
      name,
      amount(known(runs.map(({ firstMs }) => firstMs)), seconds),
      amount(known(runs.map(({ durableMs }) => durableMs)), seconds),
      live.length === 0
        ? '–'
        : `${share(live, 0.5).toFixed(1)} / ${share(live, 0.99).toFixed(1)} ms`,
      amount(known(runs.map(({ catchUpMs }) => catchUpMs)), seconds),
      amount(known(runs.map(({ wireBytes }) => wireBytes)), mb),
      codeBytes === undefined ? '–' : `${(codeBytes / 1000).toFixed(1)} kB`,
      amount(known(runs.map(({ memoryBytes }) => memoryBytes)), mb),
      runs.length === 0 ? 'did not run' : `${whole} of ${runs.length} whole`,
    ];
  });
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
