import { Hono } from 'hono';
import { PROJECTION } from '#server/read-model/row-projection.ts';
import { createApp } from '#server/main/app.ts';
import { type ScopesOf, scopesOfMember } from '#server/replica/scope-owner.ts';
import { StreamHub } from '#server/replica/stream/stream-hub.service.ts';
import { registerSyncRoutes } from '#server/routes/sync.routes.ts';
import { clientAddress } from '#server/kit/http/client-address.ts';
import { errorResponse } from '#server/kit/http/error-response.ts';
import { requestId } from '#server/kit/http/request-context.ts';
import { session } from '#server/identity/http/session.ts';
import { sessionShare } from '#server/identity/http/session-share.ts';
import { SYNC_PROTOCOL, SYNC_SCHEMA, VERSION_PARAMETERS } from '#shared/sync/version.ts';
import { type SignedIn, signInShopper } from '../people/signed-in.ts';
import { createTestDeps, type TestDeps } from '../test-deps.ts';

export interface SyncServer {
  deps: TestDeps;
  app: Hono;
  /** A signed-in customer and a `fetch` that asks in their name, without a network. */
  signIn(igUsername: string): Promise<SignedIn & { fetch: typeof globalThis.fetch }>;
  close(): Promise<void>;
}

/** The whole API over a database of its own, for clients of sync; `scopesOf` for other permissions. */
export async function startSyncServer(
  options: { scopesOf?: ScopesOf; stopping?: AbortSignal } = {},
): Promise<SyncServer> {
  const deps = await createTestDeps();
  const app = options.scopesOf ? createSyncApp(deps, options) : createApp(deps, options);
  return {
    deps,
    app,
    signIn: async (igUsername) => {
      const customer = await signInShopper(app, deps, igUsername);
      const fetch: typeof globalThis.fetch = (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input, 'http://localhost:3000');
        return customer.client.send(`${url.pathname}${url.search}`, init);
      };
      return { ...customer, fetch };
    },
    close: () => deps.database.close(),
  };
}

/** The sync calls alone, behind the session. */
export function createSyncApp(
  deps: TestDeps,
  {
    scopesOf = scopesOfMember(deps),
    stopping = new AbortController().signal,
  }: { scopesOf?: ScopesOf; stopping?: AbortSignal },
): Hono {
  const app = new Hono();
  app.onError((error, c) => errorResponse(c, deps, error));
  app.use(requestId(deps), clientAddress(deps), session(deps), sessionShare());
  const hub = new StreamHub({ ...deps, projection: PROJECTION }, { scopesOf, stopping });
  registerSyncRoutes(app, deps, { scopesOf, hub });
  return app;
}

/** A path of sync with the versions of today. */
export function syncPath(path: string, query: Record<string, string> = {}): string {
  const versions = {
    [VERSION_PARAMETERS.protocol]: String(SYNC_PROTOCOL),
    [VERSION_PARAMETERS.schema]: String(SYNC_SCHEMA),
  };
  return `${path}?${String(new URLSearchParams({ ...versions, ...query }))}`;
}
