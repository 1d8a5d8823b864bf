import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isAbove, type Judged, judge, tableOf } from './judge.ts';
import { readTree } from './read-tree.ts';
import { ROWS } from './rows.ts';

/**
 * `npm run house`: the figures of how the code is put together. `limits` prints only those that
 * may not be exceeded, `list` also what each figure counts; `--tree <folder>` measures another clone.
 * Ends with 1 when a limit is exceeded.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { tree: { type: 'string', default: resolve(import.meta.dirname, '../../..') } },
});
const rows = positionals.includes('limits') ? ROWS.filter(({ isLimit }) => isLimit) : ROWS;
const judged: Judged[] = await judge(readTree(resolve(values.tree)), rows);
console.log(tableOf(judged));
if (positionals.includes('list')) {
  for (const { what, counted } of judged) console.log(`\n${what}\n  ${counted.join('\n  ')}`);
}
const exceeded = judged.filter((each) => each.isLimit && isAbove(each));
console.log(`\n${exceeded.length} limits exceeded`);
for (const { what, counted } of exceeded) console.log(`${what}:\n  ${counted.join('\n  ')}`);
process.exitCode = exceeded.length > 0 ? 1 : 0;
