import { sql } from 'kysely';
import { Hono } from 'hono';
import type { Deps } from '../deps.ts';
import type { Metrics } from './metrics.ts';

const READY_WITHIN_MS = 2000;

/**
 * For load balancer and Prometheus, on a port of its own: `/healthz` (this process lives), `/readyz` (send
 * it work: it isn't stopping and reaches its database), `/metrics`.
 */
export function createOperatorApp(
  deps: Pick<Deps, 'clock' | 'database' | 'log'>,
  metrics: Pick<Metrics, 'read' | 'contentType'>,
  stopping: AbortSignal,
): Hono {
  const app = new Hono();
  app.get('/healthz', (c) => c.text('ok\n'));
  app.get('/readyz', async (c) => {
    if (stopping.aborted) return c.text('stopping\n', 503);
    return (await canReachDatabase(deps)) ? c.text('ready\n') : c.text('no database\n', 503);
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
