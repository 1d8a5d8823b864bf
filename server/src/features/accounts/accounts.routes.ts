import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '../../deps.ts';
import { registerCall } from '../../http/register-call.ts';
import { viewUser } from '../users/user-view.service.ts';
import { viewAccounts } from './accounts.service.ts';
import { addAccount } from './add-account.service.ts';
import { updateUsername } from './update-username.service.ts';

export function registerAccountRoutes(app: Hono, deps: Deps): void {
  registerCall(app, CALLS.findConnectedAccounts, deps, async ({ session }) => {
    const accounts = await viewAccounts(deps, session.workspaceId);
    return { data: accounts.map(({ view }) => view) };
  });

  registerCall(app, CALLS.addAccount, deps, async ({ input, session, address }) => {
    const { workspaceId, userId } = session;
    const { igUsername } = input;
    const data = await addAccount(deps, { workspaceId, userId, address, igUsername });
    return { data, message: 'Instagram account found' };
  });

  registerCall(app, CALLS.updateUsername, deps, async ({ input, session, address }) => {
    const { workspaceId, userId } = session;
    const { oldIgUsername, igUsername } = input;
    await updateUsername(deps, { workspaceId, userId, address, oldIgUsername, igUsername });
    return { data: await viewUser(deps, session), message: 'Username changed' };
  });
}
