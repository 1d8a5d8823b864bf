import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import {
  proveOwnership,
  showAccount,
  viewOwnership,
} from '#server/use-cases/accounts/ownership.service.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { viewUser } from '#server/read-model/users.service.ts';
import { viewAccountsFor } from '#server/read-model/accounts.service.ts';
import { addAccount } from '#server/network/accounts/add-account.service.ts';
import { seenClients } from '#server/network/accounts/account-rights.ts';
import {
  listAccountIds,
  listFirstAccountIds,
} from '#server/network/accounts/account.repository.ts';
import { tagAccounts } from '#server/network/accounts/tag-accounts.service.ts';
import { removeAccount } from '#server/use-cases/accounts/remove-account.service.ts';
import { updateUsername } from '#server/use-cases/accounts/update-username.service.ts';
import {
  saveSettings,
  viewSettings,
} from '#server/use-cases/accounts/delivery-settings.service.ts';

export function registerAccountRoutes(app: Hono, deps: Deps): void {
  registerCall(app, CALLS.findConnectedAccounts, deps, async ({ session }) => {
    const { workspaceId } = session;
    const clientIds = seenClients(session);
    const ids =
      clientIds && (await listFirstAccountIds(deps.database.db, workspaceId, { clientIds }));
    const accounts = await viewAccountsFor(deps, session, ids);
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
    const added = await addAccount(deps, { workspaceId, userId, address, igUsername });
    return {
      data: { igUsername: added.igUsername, igId: added.igId },
      message: 'Instagram account found',
    };
  });

  registerCall(app, CALLS.updateUsername, deps, async ({ input, session, address }) => {
    const { workspaceId, userId } = session;
    const { oldIgUsername, igUsername } = input;
    await updateUsername(deps, { workspaceId, userId, address, oldIgUsername, igUsername });
    return { data: await viewUser(deps, session), message: 'Username changed' };
  });

  registerCall(app, CALLS.tagAccounts, deps, async ({ input, session }) => {
    const { workspaceId, userId: actor } = session;
    const { igUsernames, add, remove } = input;
    await limit(deps, { ...LIMITS.tags, key: workspaceId });
    const accountIds = await deps.database.transaction(async (tx) => {
      const ids = await listAccountIds(tx, workspaceId, igUsernames);
      const now = new Date(deps.clock.now());
      await tagAccounts(tx, { workspaceId, actor, accountIds: ids, add, remove, now });
      return ids;
    });
    const accounts = await viewAccountsFor(deps, session, accountIds);
    return { data: accounts.map(({ view }) => view) };
  });
}

export function registerDeliverySettingsRoutes(app: Hono, deps: Deps): void {
  registerCall(app, CALLS.findDeliverySettings, deps, async ({ input, session }) => ({
    data: await viewSettings(deps, { workspaceId: session.workspaceId, igId: input.igId }),
  }));

  registerCall(app, CALLS.saveDeliverySettings, deps, async ({ input, session }) => {
    const { workspaceId, userId } = session;
    const { igId, settings } = input;
    const data = await saveSettings(deps, { workspaceId, userId, igId, settings });
    return { data, message: 'Delivery settings saved' };
  });
}
