import { runEntry } from './entry.ts';
import { prepareDemo } from './start/demo.ts';
import { startProduct } from './start/start-product.ts';

/** `npm start`: the whole product in one process, with a customer to try it as. */
await runEntry(
  (config, signal) =>
    startProduct(config, signal, async ({ deps, ...world }) => {
      const { newcomer, ...demo } = await prepareDemo({ ...world, random: deps.random });
      return { 'Demo login': demo, 'Just signed up': newcomer };
    }),
  { logLevel: 'warn' },
);
