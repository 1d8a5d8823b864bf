import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, Hono } from 'hono';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImageUrls } from '../cdn.ts';
import type { SandboxContext } from '../context.ts';
import { createDiscovery, type Discovery } from './discovery.ts';
import { GraphError, goneObject, usageHeaders } from './errors.ts';
import { mediaJson } from './media-json.ts';
import { parseExpression, toDiscoveryQuery, toMediaFields, type DiscoveryQuery } from './query.ts';
import { createScenarios, IDLE_USAGE, type GraphCall, type Corruption } from './scenarios.ts';

/** Token -> id of the account it belongs to. The real network gives each reader such a pair. */
const GRAPH_TOKENS: ReadonlyMap<string, string> = new Map([
  ['sandbox-token', '17841400000000001'],
  ['sandbox-token-2', '17841400000000002'],
]);
const OWN_IDS: ReadonlySet<string> = new Set(GRAPH_TOKENS.values());
const QUERIES_MAX = 500;

/** One call, read from the request. */
interface Request {
  ownId: string;
  call: GraphCall;
  fields: string;
  username: string | undefined;
}

/** `GET /graph/v26.0/{id}?fields=...`: Business Discovery on our own id, or one object by its id. */
export function registerGraph(app: Hono, ctx: SandboxContext, imageUrls: ImageUrls): void {
  const discovery = createDiscovery(ctx, imageUrls);
  const readQuery = createQueryReader();
  const play = createScenarios(ctx);
  const headersById = new Map(
    [...OWN_IDS].map((id) => [id, answerHeaders(usageHeaders(id, IDLE_USAGE))]),
  );

  const answer = (request: Request): string =>
    OWN_IDS.has(request.call.objectId)
      ? answerOwn(request, discovery, readQuery)
      : answerObject(ctx, request, discovery);

  const answerInScenario = async (c: Context, request: Request): Promise<Response> => {
    const played = play(request.call);
    if (played.delayMs > 0) await sleep(played.delayMs);
    if (played.corruption?.kind === 'hang_up') return hangUp(bindings(c));
    const usage = played.usage ?? played.error?.details.usage ?? IDLE_USAGE;
    const headers = answerHeaders(
      played.isUsageMalformed ? MALFORMED_USAGE : usageHeaders(request.ownId, usage),
    );
    if (played.error) return errorAnswer(played.error, headers, ctx.random);
    const body = answer(request);
    return played.corruption
      ? corruptedAnswer(bindings(c), played.corruption, body)
      : new Response(body, { headers });
  };

  app.get('/graph/:version/:id', async (c) => {
    ctx.stats.count('graph.calls');
    try {
      const request = readRequest(c);
      if (ctx.faults.active('graph').length > 0) return await answerInScenario(c, request);
      return new Response(answer(request), { headers: headersById.get(request.ownId) ?? {} });
    } catch (error) {
      if (error instanceof GraphError) {
        return errorAnswer(error, answerHeaders(usageHeaders('0', IDLE_USAGE)), ctx.random);
      }
      throw error;
    }
  });
  app.all('/graph/*', () =>
    errorAnswer(new GraphError('syntax', 'Unknown path components'), answerHeaders({}), ctx.random),
  );
}

const MALFORMED_USAGE = { 'x-app-usage': '{call_count:28', 'x-business-use-case-usage': 'null' };

const answerHeaders = (usage: Record<string, string>): Record<string, string> => ({
  'content-type': 'application/json; charset=UTF-8',
  'facebook-api-version': 'v26.0',
  ...usage,
});

function errorAnswer(
  error: GraphError,
  headers: Record<string, string>,
  random: () => number,
): Response {
  const traceId = `A${Math.floor(random() * 1e15).toString(36)}`;
  return new Response(error.toBody(traceId), {
    status: error.status,
    headers: { ...headers, ...error.details.headers },
  });
}

/** @throws GraphError without a known token */
function readRequest(c: Context): Request {
  const token = (c.req.header('authorization') ?? '').replace(/^Bearer /, '');
  const ownId = GRAPH_TOKENS.get(token);
  if (!ownId) {
    throw new GraphError('token', 'Invalid OAuth access token - Cannot parse access token', {
      subcode: 467,
    });
  }
  if (!/^v\d\d\.\d$/.test(c.req.param('version') ?? '')) {
    throw new GraphError('syntax', 'Unknown path components');
  }
  const fields = c.req.query('fields') ?? '';
  const username = readUsername(fields);
  const objectId = c.req.param('id') ?? '';
  const hasCursor = fields.includes('.after(');
  return { ownId, fields, username, call: { token, objectId, username, hasCursor } };
}

const NAME_OPENING = 'business_discovery.username(';

function readUsername(fields: string): string | undefined {
  const start = fields.indexOf(NAME_OPENING);
  if (start < 0) return undefined;
  const end = fields.indexOf(')', start);
  return end < 0 ? undefined : fields.slice(start + NAME_OPENING.length, end).trim();
}

type ReadQuery = (fields: string, username: string) => DiscoveryQuery | undefined;

/** Queries that differ in the name only share one parsed object, which is also the cache's key. */
function createQueryReader(): ReadQuery {
  const queries = new Map<string, DiscoveryQuery | undefined>();
  return (fields, username) => {
    const shape = fields.replace(`${NAME_OPENING}${username})`, 'business_discovery');
    const known = queries.get(shape);
    if (known) return known;
    const query = toDiscoveryQuery(parseExpression(shape));
    if (queries.size >= QUERIES_MAX) queries.clear();
    queries.set(shape, query);
    return query;
  };
}

function answerOwn(request: Request, discovery: Discovery, readQuery: ReadQuery): string {
  const { ownId, call, fields, username } = request;
  if (call.objectId !== ownId) throw goneObject(call.objectId);
  const query = username === undefined ? undefined : readQuery(fields, username);
  if (username !== undefined && query) {
    return `{"business_discovery":${discovery.answer(username, query)},"id":"${ownId}"}`;
  }
  if (fields.includes('business_discovery')) {
    throw new GraphError('invalid', '(#100) The parameter username is required');
  }
  return `{"id":"${ownId}"}`;
}

function answerObject(ctx: SandboxContext, request: Request, discovery: Discovery): string {
  const { objectId } = request.call;
  const media = ctx.media.findLive(objectId);
  const account = media && ctx.accounts.find(media.igId);
  if (!media || !account || !ctx.accounts.isReadable(account)) throw goneObject(objectId);
  const fields = toMediaFields(request.fields ? parseExpression(request.fields) : undefined);
  return JSON.stringify(mediaJson({ media, account }, fields, discovery.urls()));
}

/** The raw Node response, needed to break off in the middle; absent in in-process calls. */
const bindings = (c: Context): HttpBindings => c.env as HttpBindings;

/** Closes the connection without an answer. */
function hangUp({ outgoing }: HttpBindings): Response {
  outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** An answer no client can use: half a body, a web page, or a bare server error. */
function corruptedAnswer(
  node: HttpBindings,
  corruption: { kind: Corruption; status: number },
  body: string,
): Response {
  if (corruption.kind === 'hang_up') return hangUp(node);
  if (corruption.kind === 'cut_short') return cutShort(node, body);
  if (corruption.kind === 'server_error') {
    return new Response('upstream connect error', { status: corruption.status });
  }
  return new Response('<!doctype html><title>Sorry, something went wrong.</title><h1>Sorry</h1>', {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}

function cutShort({ outgoing }: HttpBindings, body: string): Response {
  const bytes = Buffer.from(body);
  outgoing.writeHead(200, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': bytes.length,
  });
  outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.destroy());
  return RESPONSE_ALREADY_SENT;
}
