import { availableParallelism } from 'node:os';
import { Hono } from 'hono';
import { PROJECTION } from '#server/read-model/row-projection.ts';
import { createAttempts } from '#server/kit/attempts/attempt.service.ts';
import type { Deps } from '#server/kit/deps.ts';
import { paymentBeingChecked } from '#server/money/charges/payment-error.ts';
import { registerVisitorRoutes } from '#server/routes/visitor.routes.ts';
import { registerActivityRoutes, registerTeamRoutes } from '#server/routes/team.routes.ts';
import {
  registerAccountRoutes,
  registerDeliverySettingsRoutes,
} from '#server/routes/accounts.routes.ts';
import { registerApiDocsRoutes } from '#server/ops/api-docs/api-docs.routes.ts';
import { registerPolicyReportRoutes } from '#server/ops/policy-reports/policy-reports.routes.ts';
import { registerBillingRoutes, registerPaymentRoutes } from '#server/routes/billing.routes.ts';
import { registerBulkRoutes } from '#server/routes/bulk.routes.ts';
import { registerCreditsRoutes } from '#server/routes/credits.routes.ts';
import {
  registerProviderEventRoutes,
  registerGatewayEventRoutes,
} from '#server/routes/events.routes.ts';
import { registerImageRoutes } from '#server/routes/images.routes.ts';
import { registerPostRoutes } from '#server/routes/posts.routes.ts';
import { registerPushRoutes, registerOwnAccountRoutes } from '#server/routes/own-account.routes.ts';
import { registerRecoveryRoutes } from '#server/routes/recovery.routes.ts';
import { registerSubscriptionRoutes } from '#server/routes/subscriptions.routes.ts';
import { scopesOfMember } from '#server/replica/scope-owner.ts';
import { StreamHub } from '#server/replica/stream/stream-hub.service.ts';
import { registerSyncRoutes } from '#server/routes/sync.routes.ts';
import { createPasswords } from '#server/identity/users/password.ts';
import { registerClientRoutes } from '#server/routes/clients.routes.ts';
import { registerUserRoutes } from '#server/routes/users.routes.ts';
import { clientAddress } from '#server/kit/http/client-address.ts';
import { errorResponse, notFound, refuseHead } from '#server/kit/http/error-response.ts';
import { knownRefusals } from '#server/routes/http/known-refusals.ts';
import { requestId } from '#server/kit/http/request-context.ts';
import { requestLog } from '#server/identity/http/request-log.ts';
import { sameSite } from '#server/kit/http/same-site.ts';
import { securityHeaders } from '#server/kit/http/security-headers.ts';
import { session } from '#server/identity/http/session.ts';
import { sessionShare } from '#server/identity/http/session-share.ts';

/** One core stays free for everything else. */
const PASSWORDS_CONCURRENCY = Math.max(1, availableParallelism() - 1);
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
    hub = new StreamHub(
      { ...deps, projection: PROJECTION },
      { scopesOf: scopesOfMember(deps), stopping },
    ),
    passwords = { concurrency: PASSWORDS_CONCURRENCY, waiting: PASSWORDS_WAITING },
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
  const attempts = createAttempts(deps, paymentBeingChecked);
  registerVisitorRoutes(app, deps, attempts);
  registerUserRoutes(app, signIn);
  registerRecoveryRoutes(app, signIn);
  registerOwnAccountRoutes(app, signIn);
  registerTeamRoutes(app, signIn);
  registerClientRoutes(app, deps);
  registerAccountRoutes(app, deps);
  registerDeliverySettingsRoutes(app, deps);
  registerPostRoutes(app, deps);
  registerBillingRoutes(app, deps, attempts);
  registerPaymentRoutes(app, deps, attempts);
  registerSubscriptionRoutes(app, deps, attempts);
  registerBulkRoutes(app, deps);
  registerActivityRoutes(app, deps);
  registerCreditsRoutes(app, deps, attempts);
  registerPushRoutes(app, deps);
  registerSyncRoutes(app, deps, { hub });
  registerImageRoutes(app, deps);
  registerProviderEventRoutes(app, deps);
  registerGatewayEventRoutes(app, deps);
  registerPolicyReportRoutes(app, deps);
  registerApiDocsRoutes(app, deps);
  return app;
}
