import { operatorSentence } from '#shared/domain/operator.ts';
import { join } from 'node:path';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { createApp } from './app.ts';
import type { Config } from './config/config.ts';
import type { Deps } from '#server/kit/deps.ts';
import { aborted, runEntry } from './entry.ts';
import { createDeliverySentence } from '#server/delivery/promise/delivery-promise.service.ts';
import { registerWebBuild } from '#server/kit/http/static-files.ts';
import { allJobs, runJobs } from './jobs/all-jobs.ts';
import { listen } from '#server/kit/http/listen.ts';
import { openOperating, timed } from '#server/ops/operator/operator.ts';
import { type DemoLogins, prepareDemo } from './start/demo.ts';
import { startSandbox } from './start/sandbox-process.ts';
import { buildWeb } from './start/web-build.ts';
import { type Wired, wire } from './wire.ts';

/** `npm start`: the whole product in one process, with the outside world as a child where needed. */
await runEntry(
  async (config, signal) => {
    console.log(`Starting ${PRODUCT_NAME}`);
    await step('web app', 'building', buildWeb);
    const where = config.databaseUrl === undefined ? `embedded, in ${config.dataDir}` : 'Postgres';
    // Before the sandbox: its lock is what tells a second start on this directory that it is one.
    const wired = await step('database', `opening: ${where}`, async () => wire(config));
    try {
      const { sandbox } = config.outside;
      const outside = sandbox
        ? await step('sandbox', 'starting', () => startSandbox(config, sandbox))
        : undefined;
      try {
        await run(wired, config, signal);
      } finally {
        await outside?.stop();
      }
    } finally {
      await wired.close();
    }
  },
  { logLevel: 'warn' },
);

/** Says what begins and how long it took. */
async function step<T>(part: string, doing: string, work: () => Promise<T>): Promise<T> {
  console.log(`  ${part.padEnd(9)} ${doing}`);
  const startedAt = performance.now();
  const result = await work();
  console.log(
    `  ${part.padEnd(9)} ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
  return result;
}

async function run({ deps }: Wired, config: Config, signal: AbortSignal): Promise<void> {
  const app = createApp(deps, { stopping: signal });
  registerWebBuild(app, join(import.meta.dirname, '../../../web/dist'), {
    publicUrl: deps.settings.publicUrl,
    operatorSentence: operatorSentence(deps.settings.operatorIdentity),
    deliverySentence: createDeliverySentence(deps),
  });
  const operating = await openOperating(deps, config, signal);
  const served = listen(timed(deps, app, operating.metrics), config);
  // A listener that stays would keep the process that can't start.
  served.catch(() => operating.stop());
  const stopListening = await served;
  const stop = new AbortController();
  const working = runJobs(
    allJobs(deps, (found) => operating.metrics.invariantsChecked(found)),
    stop.signal,
  );
  try {
    announce(config, await demoLogin(app, deps, config));
    await aborted(signal);
    console.log('Stopping. Finishing open work first.');
  } finally {
    await stopListening();
    stop.abort();
    await working;
    await operating.stop();
  }
}

/** The demo's login, where there is a sandbox to have a demo in. */
async function demoLogin(
  app: ReturnType<typeof createApp>,
  deps: Deps,
  config: Config,
): Promise<DemoLogins | undefined> {
  const { sandbox } = config.outside;
  if (!sandbox?.hasDemo) return undefined;
  return prepareDemo({
    send: (request) => app.fetch(request),
    publicUrl: config.publicUrl,
    dataDir: config.dataDir,
    random: deps.random,
    sandboxUrl: `http://127.0.0.1:${sandbox.port}`,
  }).catch((error: unknown) => {
    // The product works without its demo; why there is none belongs into the log.
    deps.log.error('demo could not be prepared', { error });
    return undefined;
  });
}

function announce(config: Config, demo: DemoLogins | undefined): void {
  const { sandbox } = config.outside;
  const lines = [
    `${PRODUCT_NAME}         ${config.publicUrl}`,
    `API page        ${config.publicUrl}/docs`,
    ...(sandbox
      ? [
          `Social network  http://127.0.0.1:${sandbox.port}   post a picture here and watch its likes arrive`,
          `Emails          http://127.0.0.1:${sandbox.port}/mail`,
        ]
      : []),
    ...(demo
      ? [
          `Demo login      ${demo.email}   ${demo.password}`,
          `Just signed up  ${demo.newcomer.email}   ${demo.newcomer.password}`,
        ]
      : []),
  ];
  console.log(`\n${lines.join('\n')}\n\nStop with Ctrl+C.`);
}
