import { runEntry } from './entry.ts';
import { runCommand } from './operator/command-line.ts';
import { StartError } from './start-error.ts';
import { wire } from './wire.ts';

/** `npm run operator -- <command>`; exits with 1 when the command could not do what it was asked. */
await runEntry(
  async (config) => {
    const { deps, close } = await wire(config);
    try {
      const { isDone, lines } = await runCommand(deps, process.argv.slice(2));
      if (!isDone) throw new StartError(lines.join('\n'));
      process.stdout.write(`${lines.join('\n')}\n`);
    } finally {
      await close();
    }
  },
  { logLevel: 'warn' },
);
