import { runEntry } from './entry.ts';
import { runCommand } from './operator/command-line.ts';
import { StartError } from './start-error.ts';
import { startOwnSandbox } from './start/sandbox-process.ts';
import { wire } from './wire.ts';

/**
 * `npm run operator -- <command>`; exits with 1 when the command could not do what it was asked.
 * With the embedded database stop the product first; its outside world is started here.
 */
await runEntry(
  async (config) => {
    const { deps, close } = await wire(config);
    const outside = await startOwnSandbox(config);
    try {
      const { isDone, lines } = await runCommand(deps, process.argv.slice(2));
      if (!isDone) throw new StartError(lines.join('\n'));
      process.stdout.write(`${lines.join('\n')}\n`);
    } finally {
      await outside?.stop();
      await close();
    }
  },
  { logLevel: 'warn' },
);
