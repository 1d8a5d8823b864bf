import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '../../deps.ts';
import { registerCall } from '../../http/register-call.ts';
import { viewAccounts } from './accounts.service.ts';

export function registerAccountRoutes(app: Hono, deps: Deps): void {
  registerCall(app, CALLS.findConnectedAccounts, deps, async ({ session }) => {
    const accounts = await viewAccounts(deps, session.workspaceId);
    return { data: accounts.map(({ view }) => view) };
  });
}
