import { availableParallelism } from 'node:os';
import { Hono } from 'hono';
import type { Deps } from './deps.ts';
import { registerAboutRoutes } from './features/about/about.routes.ts';
import { registerAccountRoutes } from './features/accounts/accounts.routes.ts';
import { registerApiDocsRoutes } from './features/api-docs/api-docs.routes.ts';
import { registerBillingRoutes } from './features/billing/billing.routes.ts';
import { registerCreditsRoutes } from './features/credits/credits.routes.ts';
import { registerDeliverySettingsRoutes } from './features/delivery-settings/delivery-settings.routes.ts';
import { registerProviderEventRoutes } from './features/delivery/events.routes.ts';
import { registerImageRoutes } from './features/images/images.routes.ts';
import { registerOrderRoutes } from './features/orders/orders.routes.ts';
import { registerPostRoutes } from './features/posts/posts.routes.ts';
import { registerPromoRoutes } from './features/promo/promo.routes.ts';
import { registerPushRoutes } from './features/push/push.routes.ts';
import { registerRecoveryRoutes } from './features/recovery/recovery.routes.ts';
import { registerSubscriptionRoutes } from './features/subscriptions/subscriptions.routes.ts';
import { registerSupportRoutes } from './features/support/support.routes.ts';
import { registerOwnAccountRoutes } from './features/users/own-account.routes.ts';
import { scopesOfOwner } from './features/sync/scope-owner.ts';
import { StreamHub } from './features/sync/stream-hub.service.ts';
import { registerSyncRoutes } from './features/sync/sync.routes.ts';
import { createPasswords } from './features/users/password.ts';
import { registerUserRoutes } from './features/users/users.routes.ts';
import { clientAddress } from './http/client-address.ts';
import { errorResponse } from './http/error-response.ts';
import { knownRefusals } from './http/known-refusals.ts';
import { notFound, refuseHead } from './http/not-found.ts';
import { requestId } from './http/request-id.ts';
import { requestLog } from './http/request-log.ts';
import { sameSite } from './http/same-site.ts';
import { securityHeaders } from './http/security-headers.ts';
import { session } from './http/session.ts';
import { sessionShare } from './http/session-share.ts';

/** One core stays free for everything else. */
const PASSWORDS_AT_ONCE = Math.max(1, availableParallelism() - 1);
/** About 1.5 s of waiting on two cores. */
const PASSWORDS_WAITING = 32;

/**
 * The product's HTTP interface. `registerWebBuild` adds the pages. Streams are held by `hub` and end when
 * `stopping` aborts; `passwords`: how many are worked on at once, and how many more may wait.
 */
export function createApp(
  deps: Deps,
  {
    stopping = new AbortController().signal,
    hub = new StreamHub(deps, { scopesOf: scopesOfOwner, stopping }),
    passwords = { atOnce: PASSWORDS_AT_ONCE, waiting: PASSWORDS_WAITING },
  }: {
    stopping?: AbortSignal;
    hub?: StreamHub;
    passwords?: Parameters<typeof createPasswords>[1];
  } = {},
): Hono {
  const app = new Hono();
  app.onError((error, c) => errorResponse(c, deps, error));
  app.notFound(notFound);

  app.use(requestId(deps), requestLog(deps), securityHeaders(deps));
  app.use(clientAddress(deps), sameSite(deps));
  app.use('/user/*', refuseHead(app), knownRefusals(deps), session(deps), sessionShare());
  app.use('/proxy/*', refuseHead(app), session(deps));

  const signIn = { ...deps, passwords: createPasswords(deps, passwords) };
  registerAboutRoutes(app, deps);
  registerUserRoutes(app, signIn);
  registerRecoveryRoutes(app, signIn);
  registerOwnAccountRoutes(app, signIn);
  registerSupportRoutes(app, deps);
  registerAccountRoutes(app, deps);
  registerDeliverySettingsRoutes(app, deps);
  registerPostRoutes(app, deps);
  registerOrderRoutes(app, deps);
  registerBillingRoutes(app, deps);
  registerSubscriptionRoutes(app, deps);
  registerCreditsRoutes(app, deps);
  registerPromoRoutes(app, deps);
  registerPushRoutes(app, deps);
  registerSyncRoutes(app, deps, { hub });
  registerImageRoutes(app, deps);
  registerProviderEventRoutes(app, deps);
  registerApiDocsRoutes(app, deps);
  return app;
}

export type AppType = ReturnType<typeof createApp>;
