import { keptSecret, readSettings, SandboxStartError } from './settings.ts';
import { createSandbox } from './sandbox.ts';

/** The process entry. Prints one line of JSON when it listens; ends on SIGTERM and with its parent. */
// Mails with codes in them are nobody's but this user's.
process.umask(0o077);
try {
  const settings = readSettings(process.env);
  const providerSecret = settings.providerSecret || keptSecret(settings.statePath);
  const sandbox = await createSandbox({ ...settings, providerSecret });
  const { port, smtpPort } = sandbox;
  process.stdout.write(`${JSON.stringify({ ready: true, port, smtpPort })}\n`);
  const end = (): void => {
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (process.connected) process.once('disconnect', end);
} catch (error) {
  if (!(error instanceof SandboxStartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
