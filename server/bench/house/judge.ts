import type { Tree } from './read-tree.ts';
import type { Row } from './rows.ts';

export interface Judged extends Omit<Row, 'measure'> {
  /** Undefined where the tree doesn't have what is measured. */
  now: number | undefined;
  counted: readonly string[];
}

export async function judge(tree: Tree, rows: readonly Row[]): Promise<Judged[]> {
  return Promise.all(
    rows.map(async ({ measure, ...row }) => {
      const { now, counted = [] } = (await measure(tree)) ?? {};
      return { ...row, now, counted };
    }),
  );
}

export const isAbove = ({ now, wanted }: Pick<Judged, 'now' | 'wanted'>): boolean =>
  now !== undefined && wanted !== undefined && now > wanted;

const written = (value: number | undefined, instead: string): string =>
  value?.toLocaleString('en-US') ?? instead;

export function tableOf(judged: readonly Judged[]): string {
  const cells = judged.map((row) => [
    row.what,
    row.before,
    written(row.now, 'not there'),
    row.wanted === undefined ? '' : `<= ${written(row.wanted, '')}`,
    [isAbove(row) ? 'above' : '', row.isLimit ? 'limit' : '', row.note ?? '']
      .filter((word) => word !== '')
      .join(', '),
  ]);
  const table = [['what', '22 November', 'now', 'wanted', ''], ...cells];
  const widths = table.reduce<number[]>(
    (most, row) => row.map((cell, column) => Math.max(most[column] ?? 0, cell.length)),
    [],
  );
  return table
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 || column === row.length - 1
            ? cell.padEnd(widths[column] ?? 0)
            : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
