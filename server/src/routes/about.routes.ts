import type { Hono } from 'hono';
import { about } from '#shared/contract/about.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { SYNC_PROTOCOL, SYNC_PROTOCOL_OLDEST } from '#shared/sync/version.ts';
import type { Deps } from '#server/kit/deps.ts';
import { registerCall } from './http/register-call.ts';

export function registerAboutRoutes(app: Hono, deps: Pick<Deps, 'database' | 'settings'>): void {
  registerCall(app, about, deps, async () => ({
    data: {
      product: PRODUCT_NAME,
      protocol: SYNC_PROTOCOL,
      oldestProtocol: SYNC_PROTOCOL_OLDEST,
      cardEntry: deps.settings.cardEntry,
    },
  }));
}
