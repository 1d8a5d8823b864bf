import { runEntry } from './entry.ts';
import { prepareAgency } from './start/agency-demo.ts';
import { startProduct } from './start/start-product.ts';

/**
 * `npm run demo:agency [accounts] [posts]`: the product as `npm start` has it, with an agency of 5,000 accounts and
 * 200,000 posts in a data directory of its own. What it has stays until that directory is deleted.
 */
const accounts = Number(process.argv[2] ?? 5000);
const posts = Number(process.argv[3] ?? 200_000);

await runEntry(
  (config, signal) =>
    startProduct(config, signal, (world) => prepareAgency({ ...world, accounts, posts })),
  { logLevel: 'warn', dataDir: './data/agency' },
);
