import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '../../deps.ts';
import { registerCall } from '../../http/register-call.ts';
import { proveOwnership, viewOwnership } from '../ownership/ownership.service.ts';
import { viewUser } from '../users/user-view.service.ts';
import { viewAccounts } from './accounts.service.ts';
import { addAccount } from './add-account.service.ts';
import { removeAccount } from './remove-account.service.ts';
import { showAccount } from './show-account.service.ts';
import { updateUsername } from './update-username.service.ts';

export function registerAccountRoutes(app: Hono, deps: Deps): void {
  registerCall(app, CALLS.findConnectedAccounts, deps, async ({ session }) => {
    const accounts = await viewAccounts(deps, session.workspaceId);
    return { data: accounts.map(({ view }) => view) };
  });

  registerCall(app, CALLS.lookUpAccount, deps, async ({ input, session, address }) => {
    const { workspaceId } = session;
    const { igUsername } = input;
    return { data: await showAccount(deps, { workspaceId, address, igUsername }) };
  });

  registerCall(app, CALLS.removeAccount, deps, async ({ input, session }) => {
    const { workspaceId, userId } = session;
    const { igUsername } = input;
    await removeAccount(deps, { workspaceId, userId, igUsername });
    return { data: await viewUser(deps, session), message: `@${igUsername} was removed` };
  });

  registerCall(app, CALLS.findOwnership, deps, async ({ input, session }) => {
    const { workspaceId, userId } = session;
    const { igUsername } = input;
    return { data: await viewOwnership(deps, { workspaceId, userId, igUsername }) };
  });

  registerCall(app, CALLS.proveOwnership, deps, async ({ input, session }) => {
    const { workspaceId, userId } = session;
    const { igUsername } = input;
    return { data: await proveOwnership(deps, { workspaceId, userId, igUsername }) };
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
