import { Hono } from 'hono';
import * as v from 'valibot';
import type { SandboxContext } from '../context.ts';
import { FAULT_SYSTEMS } from '../faults.ts';
import { GRAPH_SCENARIOS } from '../graph/scenarios.ts';
import { Refusal } from '../refusal.ts';
import { readJson } from './read-json.ts';

const FaultBody = v.looseObject({
  system: v.picklist(FAULT_SYSTEMS),
  scenario: v.pipe(v.string(), v.minLength(1)),
});

/** `POST /control/faults {system, scenario, ...}`, `DELETE /control/faults[?system=]`, `GET` lists. */
export function faultRoutes(ctx: SandboxContext): Hono {
  const app = new Hono();
  app.post('/', async (c) => {
    const { system, scenario, ...options } = await readJson(c, FaultBody);
    if (system === 'graph' && !GRAPH_SCENARIOS.some((known) => known === scenario)) {
      throw new Refusal('input', `scenario: one of ${GRAPH_SCENARIOS.join(', ')}`);
    }
    ctx.faults.set(system, scenario, options);
    return c.json({ system, scenario });
  });
  app.get('/', (c) =>
    c.json(
      FAULT_SYSTEMS.flatMap((system) =>
        ctx.faults
          .active(system)
          .map(({ scenario, options }) => ({ ...options, system, scenario })),
      ),
    ),
  );
  app.delete('/', (c) => {
    const system = FAULT_SYSTEMS.find((known) => known === c.req.query('system'));
    ctx.faults.clear(system);
    return c.json({ cleared: system ?? 'all' });
  });
  return app;
}
