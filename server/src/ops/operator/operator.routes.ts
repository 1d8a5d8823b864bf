import { sql } from 'kysely';
import { Hono } from 'hono';
import type { Deps } from '#server/kit/deps.ts';
import { readGraphTokens } from '#server/network/allowance/graph-tokens.ts';
import type { Metrics } from './metrics.ts';
import { tokenWords } from './token-words.ts';

const READY_WITHIN_MS = 2000;

/**
 * For load balancer and Prometheus, on a port of its own: `/healthz` (this process lives), `/readyz` (send
 * it work: it isn't stopping and reaches its database; tokens the network refuses are named), `/metrics`.
 */
export function createOperatorApp(
  deps: Pick<Deps, 'clock' | 'database' | 'log' | 'network'>,
  metrics: Pick<Metrics, 'read' | 'contentType'>,
  stopping: AbortSignal,
): Hono {
  const app = new Hono();
  app.get('/healthz', (c) => c.text('ok\n'));
  app.get('/readyz', async (c) => {
    if (stopping.aborted) return c.text('stopping\n', 503);
    if (!(await canReachDatabase(deps))) return c.text('no database\n', 503);
    // A refused token is no reason to send the work elsewhere: it is the same there.
    const refused = (await readGraphTokens(deps)).filter(({ state }) => state === 'refused');
    return c.text(['ready', ...refused.map(tokenWords), ''].join('\n'));
  });
  app.get('/metrics', async (c) => {
    try {
      const text = await metrics.read();
      return c.body(text, 200, { 'content-type': metrics.contentType });
    } catch (error) {
      deps.log.error('metrics could not be read', { error });
      return c.text('no metrics\n', 503);
    }
  });
  app.notFound((c) => c.text('/healthz, /readyz, /metrics\n', 404));
  return app;
}

async function canReachDatabase({
  clock,
  database,
}: Pick<Deps, 'clock' | 'database'>): Promise<boolean> {
  const over = new AbortController();
  const answer = sql`select 1`.execute(database.db).then(
    () => true,
    () => false,
  );
  const tooLate = clock.sleep(READY_WITHIN_MS, over.signal).then(() => false);
  return Promise.race([answer, tooLate]).finally(() => over.abort());
}
