import type { Hono } from 'hono';
import { CALLS } from '#shared/contract/calls.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';
import {
  saveSettings,
  viewSettings,
} from '#server/use-cases/accounts/delivery-settings.service.ts';

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
