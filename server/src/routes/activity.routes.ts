import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '#server/kit/deps.ts';
import { checkActivity, findActivity } from '#server/read-model/activity.service.ts';
import { registerCall } from './http/register-call.ts';

export function registerActivityRoutes(app: Hono, deps: Deps): void {
  registerCall(app, CALLS.findActivity, deps, async ({ session, input }) => ({
    data: await findActivity(deps, session, input),
  }));
  registerCall(app, CALLS.checkActivity, deps, async ({ session }) => ({
    data: await checkActivity(deps, session),
  }));
}
