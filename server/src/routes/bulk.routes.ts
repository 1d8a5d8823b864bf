import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import { dollarsFromCents } from '#shared/domain/money.ts';
import type { Deps } from '#server/kit/deps.ts';
import {
  startBulk,
  undoBulk,
  viewBulk,
  viewItem,
  viewUnmade,
} from '#server/use-cases/bulk/bulk.service.ts';
import { planBulk } from '#server/use-cases/bulk/plan-bulk.service.ts';
import { registerCall } from './http/register-call.ts';

export function registerBulkRoutes(app: Hono, deps: Deps): void {
  registerCall(app, CALLS.planBulk, deps, async ({ session, input }) => {
    const { items, planned, today, month } = await planBulk(deps, session, input);
    return {
      data: {
        items: items.map(viewItem),
        planned,
        today: dollarsFromCents(today),
        month: dollarsFromCents(month),
      },
    };
  });
  registerCall(app, CALLS.startBulk, deps, async ({ session, input }) => ({
    data: await startBulk(deps, session, input),
  }));
  registerCall(app, CALLS.findBulk, deps, async ({ session, input }) => ({
    data: await viewBulk(deps, session, input.operationId),
  }));
  registerCall(app, CALLS.findBulkItems, deps, async ({ session, input }) => ({
    data: await viewUnmade(deps, session, input),
  }));
  registerCall(app, CALLS.undoBulk, deps, async ({ session, input }) => ({
    data: await undoBulk(deps, session, input.operationId),
  }));
}
