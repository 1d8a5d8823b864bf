import type { Deps } from '#server/kit/deps.ts';
import { listen, type Listener } from '#server/kit/http/listen.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createOperatorApp } from './operator.routes.ts';

/** Metrics of a process, and how to end the operator's listener (where one is configured). */
export interface Operating {
  metrics: Metrics;
  stop: () => Promise<void>;
}

/** Serves health and metrics on OPERATOR_PORT, where it is set. Throws StartError when it is taken. */
export async function openOperating(
  deps: Pick<Deps, 'clock' | 'database' | 'log' | 'network'>,
  config: { operator: Listener | undefined },
  stopping: AbortSignal,
): Promise<Operating> {
  const metrics = createMetrics(deps);
  if (!config.operator) return { metrics, stop: () => Promise.resolve() };
  const app = createOperatorApp(deps, metrics, stopping);
  return { metrics, stop: await listen(app, config.operator, { portVariable: 'OPERATOR_PORT' }) };
}

/** `env` is the server's own: it knows the socket. */
type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

/** The same app, each request's duration told to the metrics. */
export function timed(
  { clock }: Pick<Deps, 'clock'>,
  app: { fetch: Fetch },
  metrics: Pick<Metrics, 'requestEnded'>,
): { fetch: Fetch } {
  return {
    async fetch(request, env) {
      const startedAtMs = clock.now();
      const response = await app.fetch(request, env);
      const seconds = (clock.now() - startedAtMs) / 1000;
      const { method } = request;
      const path = new URL(request.url).pathname;
      metrics.requestEnded({ method, path, status: response.status, seconds });
      return response;
    },
  };
}
