import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '#server/kit/deps.ts';
import { EVENT_PATHS } from '#server/kit/http/same-site.ts';
import { type GraphToken, readGraphTokens } from '#server/network/allowance/graph-tokens.ts';
import { INVARIANTS, type Violation } from '../invariants/violation.ts';
import { readStatus } from './status.repository.ts';

type MetricsDeps = Pick<Deps, 'clock' | 'database' | 'network'>;

/** What a process tells Prometheus. */
export interface Metrics {
  readonly contentType: string;
  /** The exposition text; reads queues, charges and credits from the database. */
  read(): Promise<string>;
  invariantsChecked(found: readonly Violation[]): void;
  requestEnded(request: { method: string; path: string; status: number; seconds: number }): void;
}

/** Around the promise: detected within 30 seconds. */
const DETECTION_SECONDS = [5, 10, 15, 20, 25, 30, 45, 60, 120, 300, 900, 3600];
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Metrics of this process, and of the whole product as its database has it: those are the same on every
 * node, so look at one node's (or take the maximum), don't add them up.
 */
export function createMetrics(deps: MetricsDeps): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauges = createGauges(registry);
  const tokens = new Gauge({
    name: 'ovation_graph_tokens',
    help: 'Tokens of the social network by state; a refused one needs an operator.',
    labelNames: ['state'] as const,
    registers: [registry],
  });
  const detection = new Histogram({
    name: 'ovation_detection_delay_seconds',
    help: 'From a post appearing on the network to its order, of orders made since this process started.',
    buckets: DETECTION_SECONDS,
    registers: [registry],
  });
  const http = new Histogram({
    name: 'ovation_http_request_seconds',
    help: 'Duration of requests by call and status.',
    labelNames: ['method', 'path', 'status'] as const,
    buckets: HTTP_SECONDS,
    registers: [registry],
  });
  let seenUntil = new Date(deps.clock.now());
  return {
    contentType: registry.contentType,
    async read() {
      const status = await readStatus(deps.database.db, {
        now: new Date(deps.clock.now()),
        detectedAfter: seenUntil,
      });
      for (const { delaySeconds, detectedAt } of status.detections) {
        detection.observe(delaySeconds);
        if (detectedAt > seenUntil) seenUntil = detectedAt;
      }
      showStatus(gauges, status);
      showTokens(tokens, await readGraphTokens(deps));
      return registry.metrics();
    },
    invariantsChecked(found) {
      for (const invariant of INVARIANTS) {
        const count = found.filter((each) => each.invariant === invariant).length;
        gauges.violations.set({ invariant }, count);
      }
      gauges.checkedAt.set(deps.clock.now() / 1000);
    },
    requestEnded({ method, path, status, seconds }) {
      http.observe({ method, path: knownPath(path), status }, seconds);
    },
  };
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(registry: Registry) {
  const registers = [registry];
  const byState = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['state'] as const, registers });
  return {
    queueAge: new Gauge({
      name: 'ovation_queue_age_seconds',
      help: 'How long the oldest due work of a kind has waited.',
      labelNames: ['queue'] as const,
      registers,
    }),
    queueDue: new Gauge({
      name: 'ovation_queue_due',
      help: 'Pieces of work of a kind that are due.',
      labelNames: ['queue'] as const,
      registers,
    }),
    charges: byState('ovation_charges', 'Charges by state.'),
    refunds: byState('ovation_refunds', 'Refunds by state; rejected ones wait for an operator.'),
    disputes: byState(
      'ovation_disputes',
      'Disputes by state; inquiries and open ones wait for an answer at the gateway.',
    ),
    orders: byState('ovation_orders_open', 'Orders that are not final, by state.'),
    credits: new Gauge({
      name: 'ovation_credits_total',
      help: 'Credits of all customers together.',
      registers,
    }),
    ledger: new Gauge({
      name: 'ovation_ledger_sum',
      help: 'Sum of all ledger entries: always 0.',
      registers,
    }),
    violations: new Gauge({
      name: 'ovation_invariant_violations',
      help: 'What the last check by this process found; 0 is right.',
      labelNames: ['invariant'] as const,
      registers,
    }),
    checkedAt: new Gauge({
      name: 'ovation_invariants_checked_at_seconds',
      help: 'When this process last checked the invariants (Unix time); one worker does it each hour.',
      registers,
    }),
  };
}

function showStatus(gauges: Gauges, status: Awaited<ReturnType<typeof readStatus>>): void {
  for (const { queue, due, ageSeconds } of status.queues) {
    gauges.queueAge.set({ queue }, ageSeconds);
    gauges.queueDue.set({ queue }, due);
  }
  for (const name of ['charges', 'refunds', 'disputes', 'orders'] as const) {
    gauges[name].reset();
    for (const { state, count } of status[name]) gauges[name].set({ state }, count);
  }
  gauges.credits.set(status.credits);
  gauges.ledger.set(status.ledgerSum);
}

function showTokens(gauge: Gauge<'state'>, tokens: readonly GraphToken[]): void {
  for (const state of ['serving', 'throttled', 'refused'] as const) {
    gauge.set({ state }, tokens.filter((token) => token.state === state).length);
  }
}

const CALL_PATHS = new Set<string>(Object.values(CALLS).map(({ path }) => path));

/** A label for each call, one for all pictures and one for everything else: paths are not endless. */
function knownPath(path: string): string {
  if (CALL_PATHS.has(path)) return path;
  if (path.startsWith('/proxy/')) return '/proxy';
  return EVENT_PATHS.has(path) ? path : 'other';
}
