import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import * as v from 'valibot';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { PULL_PATH, PullRequest } from '#shared/sync/pull.ts';
import { PUSH_PATH, PushRequest } from '#shared/sync/push.ts';
import type { Scope } from '#shared/contract/scope.ts';
import { SNAPSHOT_PATH, SnapshotQuery } from '#shared/sync/snapshot.ts';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { VERIFY_PATH, VerifyRequest } from '#shared/sync/verify.ts';
import {
  SYNC_PROTOCOL,
  SYNC_PROTOCOL_OLDEST,
  SYNC_SCHEMA,
  SYNC_SCHEMA_OLDEST,
  USER_PARAMETER,
} from '#shared/sync/version.ts';
import { PROJECTION } from '#server/read-model/row-projection.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { refuseOtherMethods } from '#server/kit/http/error-response.ts';
import { invalidInput, receive } from './http/register-call.ts';
import { parseRequestObject, parseParameters } from '#server/kit/http/request-body.ts';
import { noSession } from '#server/identity/users/no-session.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { packed, packedLines } from '#server/kit/http/packed.ts';
import { pull } from '#server/replica/pull.service.ts';
import { push } from '#server/replica/push.service.ts';
import { type ScopeOwner, scopesOfMember, type ScopesOf } from '#server/replica/scope-owner.ts';
import { openSnapshot } from '#server/replica/snapshot.service.ts';
import type { StreamHub } from '#server/replica/stream/stream-hub.service.ts';
import { verify } from '#server/replica/verify.service.ts';

/** The sync calls; `scopesOf` decides who sees what. */
export function registerSyncRoutes(
  app: Hono,
  deps: Deps,
  { hub, scopesOf = scopesOfMember(deps) }: { hub: StreamHub; scopesOf?: ScopesOf | undefined },
): void {
  const replica = { ...deps, projection: PROJECTION };
  app.post(PULL_PATH, async (c) => {
    const asked = { ...entered(c), ...(await readJson(c, PullRequest)) };
    return packed(c, await pull(replica, scopesOf, asked));
  });
  app.post(PUSH_PATH, async (c) => {
    const asked = { ...entered(c), ...(await readJson(c, PushRequest, SYNC_LIMITS.pushBytes)) };
    return c.json(await push(deps, scopesOf, asked));
  });
  app.post(VERIFY_PATH, async (c) => {
    const { session } = entered(c);
    const asked = await readJson(c, VerifyRequest);
    return c.json(await verify(deps, await ownedScope(scopesOf, session, asked.scope), asked));
  });
  app.get(SNAPSHOT_PATH, async (c) => {
    const { session, schema } = entered(c);
    const query = parse(SnapshotQuery, parseParameters(new URL(c.req.url).search));
    const owner = await ownedScope(scopesOf, session, query.scope);
    const asked = { ...query, schema, inShare: c.get('inShare') };
    return packedLines(c, await openSnapshot(replica, owner, asked));
  });
  registerStream(app, hub);
  const calls = [
    ...[PULL_PATH, PUSH_PATH, VERIFY_PATH].map((path) => ({ method: 'POST' as const, path })),
    ...[SNAPSHOT_PATH, STREAM_PATH].map((path) => ({ method: 'GET' as const, path })),
  ];
  for (const { method, path } of calls) refuseOtherMethods(app, { method, path: path as '/' });
}

function registerStream(app: Hono, hub: StreamHub): void {
  app.get(STREAM_PATH, async (c) => {
    const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
    const body = await hub.open({ ...entered(c), hangUp: () => outgoing?.destroy() });
    return c.body(body, 200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
  });
}

/** Who asks, in which versions. @throws ApiError `no_session`, `upgrade_needed` */
function entered(c: Context): { session: Session; schema: number } {
  const session = c.get('session');
  if (!session) throw noSession(c.get('sessionEnd'));
  if ((c.req.query(USER_PARAMETER) ?? session.memberId) !== session.memberId) {
    throw noSession(undefined);
  }
  const protocol = Number(c.req.query('protocol'));
  const schema = Number(c.req.query('schema'));
  const isServed =
    protocol >= SYNC_PROTOCOL_OLDEST &&
    protocol <= SYNC_PROTOCOL &&
    schema >= SYNC_SCHEMA_OLDEST &&
    schema <= SYNC_SCHEMA;
  if (isServed) return { session, schema };
  throw new ApiError('upgrade_needed', 'This version is no longer supported. Please reload.', {
    fields: { protocol: String(SYNC_PROTOCOL), schema: String(SYNC_SCHEMA) },
  });
}

async function ownedScope(scopesOf: ScopesOf, session: Session, scope: Scope): Promise<ScopeOwner> {
  const owner = (await scopesOf(session)).find((own) => own.scope === scope);
  if (!owner) throw new ApiError('not_yours', 'This belongs to another customer.');
  return owner;
}

async function readJson<Schema extends v.GenericSchema>(
  c: Context,
  schema: Schema,
  maxBytes?: number,
): Promise<v.InferOutput<Schema>> {
  return parse(schema, parseRequestObject(await receive(c, 'json', maxBytes)));
}

function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { abortPipeEarly: true });
  if (!result.success) throw invalidInput(result.issues);
  return result.output;
}
