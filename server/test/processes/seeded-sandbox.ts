import { createSandbox } from '../../sandbox/sandbox.ts';
import { readSettings } from '../../sandbox/settings.ts';
import { seededRandom } from '../seeded.ts';

/** The sandbox as a process whose chances SANDBOX_SEED decides: which of its calls fail, and how. */
const random = seededRandom(Number(process.env['SANDBOX_SEED']));
const sandbox = await createSandbox(readSettings(process.env), { now: Date.now, random });
const { port, smtpPort } = sandbox;
process.stdout.write(`${JSON.stringify({ ready: true, port, smtpPort })}\n`);
const end = (): void => {
  void sandbox.close().then(() => process.exit(0));
};
process.once('SIGTERM', end);
if (process.connected) process.once('disconnect', end);
