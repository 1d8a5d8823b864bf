import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { runEntry } from './entry.ts';
import { checkCards } from '#server/ops/operator/cards-check.ts';
import { readScriptList } from '#server/ops/operator/paying-pages-check.ts';
import { type CommandResult, runCommand } from '#server/ops/operator/command-line.ts';
import { openStripeAccount } from '#server/adapters/stripe/stripe-account.ts';
import { StartError } from '#server/kit/start-error.ts';
import { startOwnSandbox } from './start/sandbox-process.ts';
import { systemClock } from './system.ts';
import { wire } from './wire.ts';

/**
 * `npm run operator -- <command>`; exits with 1 when the command could not do what it was asked.
 * With the embedded database stop the product first; its outside world is started here. Only `cards check`
 * wants it running: it asks the product, not the database.
 */
await runEntry(
  async (config) => {
    const words = process.argv.slice(2);
    const isCardsCheck = words[0] === 'cards' && words[1] === 'check';
    const { isDone, lines } = isCardsCheck
      ? await runCardsCheck(config)
      : await runOnDatabase(config, words);
    if (!isDone) throw new StartError(lines.join('\n'));
    process.stdout.write(`${lines.join('\n')}\n`);
  },
  { logLevel: 'warn' },
);

async function runOnDatabase(config: Config, words: readonly string[]): Promise<CommandResult> {
  const { deps, close } = await wire(config);
  const outside = await startOwnSandbox(config);
  try {
    return await runCommand(deps, words);
  } finally {
    await outside?.stop();
    await close();
  }
}

async function runCardsCheck({ publicUrl, outside }: Config): Promise<CommandResult> {
  const { url: stripeUrl, secretKey, isLive, eventSecrets, cardEntry } = outside.stripe;
  const account = openStripeAccount({ stripeUrl, secretKey });
  try {
    const builtScripts = await readScriptList(join(import.meta.dirname, '../../../web/dist'));
    const setUp = { publicUrl, isLive, eventSecrets, cardEntry, builtScripts };
    const lines = await checkCards({ clock: systemClock, account }, setUp);
    return {
      isDone: lines.every(({ state }) => state !== 'FAILS'),
      lines: lines.map(
        ({ part, state, words }) => `${part.padEnd(9)} ${state.padEnd(6)}  ${words}`,
      ),
    };
  } finally {
    await account.close();
  }
}
