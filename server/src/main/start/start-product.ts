import { join } from 'node:path';
import { operatorSentence } from '#shared/domain/people/operator.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { createDeliverySentence } from '#server/delivery/promise/delivery-promise.service.ts';
import type { Deps } from '#server/kit/deps.ts';
import { listen } from '#server/kit/http/listen.ts';
import { registerWebBuild } from '#server/kit/http/static-files.ts';
import { openOperating, timed } from '#server/ops/operator/operator.ts';
import { createApp } from '../app.ts';
import type { Config } from '../config/config.ts';
import { aborted } from '../entry.ts';
import { allJobs, runJobs } from '../jobs/all-jobs.ts';
import { wire } from '../wire.ts';
import type { DemoCalls, DemoLogin } from './demo-calls.ts';
import { startSandbox } from './sandbox-process.ts';
import { buildWeb } from './web-build.ts';

/** What a demo is made in. */
interface DemoWorld extends DemoCalls {
  deps: Deps;
  dataDir: string;
  signal: AbortSignal;
}

/** Makes what a demo has, where it isn't there yet; its people's log-ins by what they are. */
type PrepareDemo = (world: DemoWorld) => Promise<Record<string, DemoLogin>>;

/** The whole product in one process, with the outside world as a child where needed, until the signal aborts. */
export async function startProduct(
  config: Config,
  signal: AbortSignal,
  prepare: PrepareDemo,
): Promise<void> {
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
      await run(wired.deps, config, { signal, prepare });
    } finally {
      await outside?.stop();
    }
  } finally {
    await wired.close();
  }
}

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

async function run(
  deps: Deps,
  config: Config,
  { signal, prepare }: { signal: AbortSignal; prepare: PrepareDemo },
): Promise<void> {
  const app = createApp(deps, { stopping: signal });
  registerWebBuild(app, join(import.meta.dirname, '../../../../web/dist'), {
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
  let working: Promise<void> | undefined;
  try {
    const { sandbox } = config.outside;
    const world = (port: number): DemoWorld => ({
      deps,
      send: (request) => app.fetch(request),
      publicUrl: config.publicUrl,
      cardEntry: deps.settings.cardEntry,
      dataDir: config.dataDir,
      sandboxUrl: `http://127.0.0.1:${port}`,
      signal,
    });
    const logins = sandbox?.hasDemo
      ? await step('demo', 'preparing', () => tryDemo(world(sandbox.port), prepare))
      : {};
    working = runJobs(
      allJobs(deps, (found) => operating.metrics.invariantsChecked(found)),
      stop.signal,
    );
    if (!signal.aborted) announce(config, logins);
    await aborted(signal);
    console.log('Stopping. Finishing open work first.');
  } finally {
    await stopListening();
    stop.abort();
    await working;
    await operating.stop();
  }
}

async function tryDemo(world: DemoWorld, prepare: PrepareDemo): Promise<Record<string, DemoLogin>> {
  try {
    return await prepare(world);
  } catch (error) {
    // The product works without its demo; why there is none belongs into the log.
    if (!world.signal.aborted) world.deps.log.error('demo could not be prepared', { error });
    return {};
  }
}

const WIDTH = 16;

function announce(config: Config, logins: Record<string, DemoLogin>): void {
  const { sandbox } = config.outside;
  const lines: Array<[what: string, where: string]> = [
    [PRODUCT_NAME, config.publicUrl],
    ['API page', `${config.publicUrl}/docs`],
  ];
  if (sandbox) {
    const address = `http://127.0.0.1:${sandbox.port}`;
    const said = 'post a picture here and watch its likes arrive';
    lines.push(['Social network', `${address}   ${said}`], ['Emails', `${address}/mail`]);
  }
  for (const [who, { email, password }] of Object.entries(logins)) {
    lines.push([who, `${email}   ${password}`]);
  }
  const told = lines.map(([what, where]) => `${what.padEnd(WIDTH)}${where}`);
  console.log(`\n${told.join('\n')}\n\nStop with Ctrl+C.`);
}
