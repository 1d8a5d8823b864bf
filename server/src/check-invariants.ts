import { runEntry } from './entry.ts';
import { checkInvariants } from './features/invariants/check-all.ts';
import { StartError } from './start-error.ts';
import { startSandbox } from './start/sandbox-process.ts';
import { wire } from './wire.ts';

/**
 * `npm run check:invariants`: checks everything from the beginning, prints what is wrong and exits with 1
 * when anything is. With the embedded database stop the product first; its outside world is started here.
 */
await runEntry(
  async (config) => {
    const { deps, close } = await wire(config);
    const { sandbox } = config.outside;
    const isEmbedded = config.databaseUrl === undefined;
    const outside = sandbox && isEmbedded ? await startSandbox(config, sandbox) : undefined;
    try {
      const found = await checkInvariants(deps, new Date(0));
      for (const { invariant, subject, problem } of found) {
        process.stdout.write(`${invariant}  ${subject}: ${problem}\n`);
      }
      if (found.length > 0) throw new StartError(`${found.length} violations`);
      process.stdout.write('I1 to I10 hold.\n');
    } finally {
      await outside?.stop();
      await close();
    }
  },
  { logLevel: 'warn' },
);
