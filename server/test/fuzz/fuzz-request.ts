import type { Call } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { ProviderEvents, SIGNATURE_HEADER } from '#shared/contract/provider-protocol.ts';
import { signMessage } from '#server/adapters/provider/signature.ts';
import { hostileValue, POLLUTION, POLLUTION_KEYS } from './hostile-values.ts';
import type { Chance, Facts, SchemaValues } from './schema-values.ts';

/** One request, before it is sent. */
export interface FuzzRequest {
  /** The call of the contract it was made from; undefined: another address. */
  call: Call | undefined;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
}

export interface RequestMaker {
  chance: Chance;
  values: SchemaValues;
  /** Signs what claims to come from the provider. */
  secret: string;
  now: () => number;
}

const calls: readonly Call[] = Object.values(CALLS);
/** A password costs 50 ms of hashing, so calls with one are asked less often. */
const weighted = calls.flatMap((call) => {
  const isDear = 'password' in entriesOf(call) || call.path.endsWith('/logout');
  return Array.from({ length: isDear ? 1 : 4 }, () => call);
});

/** How many requests it takes until every call has been asked twice without a corrupted request. */
export const FIRST_ROUNDS = 2 * calls.length;

/** One of the first requests: of the next call in turn, with fields that may be corrupted. */
export function makeFirstRequest(maker: RequestMaker, facts: Facts, index: number): FuzzRequest {
  const call = calls[index % calls.length];
  return call ? callRequest(maker, facts, call) : makeRequest(maker, facts);
}

/** A request of a random call, or now and then of another address, as `facts` would send it. */
export function makeRequest(maker: RequestMaker, facts: Facts): FuzzRequest {
  const { chance, values } = maker;
  if (chance() < 0.04) return providerRequest(maker);
  if (chance() < 0.04) return otherRequest(maker, facts);
  const request = callRequest(maker, facts, values.pick(weighted));
  if (chance() < 0.25) corruptRequest(maker, request);
  return request;
}

function callRequest(maker: RequestMaker, facts: Facts, call: Call): FuzzRequest {
  const { chance, values } = maker;
  const schema = call.tokenInput && chance() < 0.2 ? call.tokenInput : call.input;
  const input = values.make(schema, facts) as Record<string, unknown>;
  if (chance() < 0.5) corruptFields(maker, input);
  const request = encode(call, input);
  if (chance() < 0.3) request.headers['idempotency-key'] = values.pick(IDEMPOTENCY_KEYS);
  return request;
}

function entriesOf(call: Call): object {
  return 'entries' in call.input ? (call.input.entries ?? {}) : {};
}

function encode(call: Call, input: Record<string, unknown>): FuzzRequest {
  const { method, path, encoding } = call;
  const base = { call, method, path, headers: {}, body: undefined };
  if (encoding === 'json') {
    const headers = { 'content-type': 'application/json' };
    return { ...base, headers, body: JSON.stringify(input) };
  }
  const fields = Object.entries(input).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value ?? null),
  ]);
  const query = String(new URLSearchParams(fields));
  if (encoding === 'query') return { ...base, path: `${path}?${query}` };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { ...base, headers, body: query };
}

/** Changes one to three fields, adds some, or drops some. */
function corruptFields({ chance, values }: RequestMaker, input: Record<string, unknown>): void {
  const changes = 1 + Math.floor(chance() * 3);
  for (let change = 0; change < changes; change += 1) {
    const name = values.pick([...Object.keys(input), 'userId', 'igId', 'extra']);
    const way = chance();
    if (way < 0.15) delete input[name];
    else if (way < 0.25) input[name] = [input[name]];
    else if (way < 0.35) input[name] = JSON.stringify(input[name]);
    else input[name] = hostileValue(chance);
  }
}

const IDEMPOTENCY_KEYS = [
  ['a', 'b', 'form-1', 'form-2', ' ', 'a b', 'x'.repeat(200), 'x'.repeat(201), 'x'.repeat(9000)],
  ['é', '\u00ff\u00fe', "'; drop table attempt;--", '__proto__', '0', '%00', 'key:0'],
].flat();
const CONTENT_TYPES = [
  ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'text/json', ''],
  ['application/json; charset=utf-8', 'application/json; charset=utf-16', 'APPLICATION/JSON'],
  ['multipart/form-data; boundary=x', 'application/json, text/plain', 'application/json;;;'],
  ['application/xml', 'x', '*/*', 'application/json; a="\u00e9"'],
].flat();
const HEADERS: ReadonlyArray<readonly [name: string, values: readonly string[]]> = [
  ['content-type', CONTENT_TYPES],
  ['content-encoding', ['gzip', 'identity', 'br', 'x']],
  ['content-length', ['0', '-1', '99999999999', 'x', '1e9']],
  ['cookie', ['ovation=', 'ovation=%00', `ovation=${'A'.repeat(43)}`, '=;=;', 'x'.repeat(9000)]],
  ['origin', ['https://evil.example', 'null', 'http://localhost:3000', '', 'x'.repeat(5000)]],
  ['sec-fetch-site', ['cross-site', 'same-origin', 'none', 'x']],
  ['x-forwarded-for', ['127.0.0.1', '::1, 10.0.0.1', 'x'.repeat(9000), ',,,,', "1' or 1=1"]],
  ['accept', ['text/html', 'image/*', 'x', '']],
  ['user-agent', ['x'.repeat(9000), '\u00e9\u00ff', '<script>', '']],
  ['if-none-match', ['*', '"x"', ','.repeat(2000)]],
  ['host', ['evil.example', '']],
  ['x-http-method-override', ['DELETE']],
];

const SPOILERS: ReadonlyArray<(maker: RequestMaker, request: FuzzRequest) => void> = [
  ({ values }, { headers }) => {
    const [name, options] = values.pick(HEADERS);
    headers[name] = values.pick(options);
  },
  (_maker, { headers }) => void delete headers['content-type'],
  ({ chance }, request) => cut(request, (bytes) => bytes.subarray(0, chance() * bytes.length)),
  ({ chance }, request) =>
    cut(request, (bytes) => {
      for (let flips = 0; flips < 4; flips += 1) {
        bytes[Math.floor(chance() * bytes.length)] = Math.floor(chance() * 256);
      }
      return bytes;
    }),
  ({ values }, request) => void (request.body = values.pick(BODIES)()),
  ({ values }, request) => {
    const key = values.pick(POLLUTION_KEYS);
    const text = typeof request.body === 'string' ? request.body : '{}';
    const inner = text.startsWith('{') && text.length > 2 ? `,${text.slice(1)}` : '}';
    request.body = `{${JSON.stringify(key)}:${JSON.stringify(POLLUTION)}${inner}`;
  },
  ({ values }, request) => void (request.method = values.pick(METHODS)),
  ({ values }, request) => void (request.path += values.pick(SUFFIXES)),
];
const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'POST', 'PROPFIND'];
const SUFFIXES = ['/', '/x', '%00', '/..', '?userId=1', ';a=b', '//', '%', '%2f', '#x', '?a[]=%ff'];
const BODIES: ReadonlyArray<() => string> = [
  () => '',
  () => '{',
  () => '[]',
  () => 'null',
  () => '"x"',
  () => '{}{}',
  () => '\ufeff{}',
  () => '[['.repeat(20_000),
  () => `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  () => `{"userId":"x","userId":"y"}`,
  () => `{"likes":1e999,"credits":-0}`,
  () => `{"a":"${'x'.repeat(66_000)}"}`,
  () => `a=${'%'.repeat(3000)}&=&&=a&a=b&a=c`,
  () => '&'.repeat(60_000),
  () => `email=${'%F0%9F'.repeat(500)}`,
];

function corruptRequest(maker: RequestMaker, request: FuzzRequest): void {
  maker.values.pick(SPOILERS)(maker, request);
  if (request.method === 'GET' || request.method === 'HEAD') request.body = undefined;
}

function cut(
  request: FuzzRequest,
  change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): void {
  if (request.body !== undefined) request.body = change(Uint8Array.from(Buffer.from(request.body)));
}

const EVENTS_PATH = '/provider/events';
function providerRequest(maker: RequestMaker): FuzzRequest {
  const { chance, values, secret, now } = maker;
  const events = values.make(ProviderEvents, new Map()) as { orders: Record<string, unknown>[] };
  const [first] = events.orders;
  if (first && chance() < 0.5) corruptFields(maker, first);
  const body = JSON.stringify(events);
  const message = { method: 'POST', path: EVENTS_PATH, body };
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    [SIGNATURE_HEADER]: signMessage(secret, message, now()),
  };
  const request = { ...message, call: undefined, headers };
  if (chance() < 0.3) headers[SIGNATURE_HEADER] = values.pick(SIGNATURES);
  else if (chance() < 0.2) corruptRequest(maker, request);
  return request;
}
const SIGNATURES = ['', 't=1,v1=0', `t=1,v1=${'0'.repeat(64)}`, 'x', `t=${'9'.repeat(40)},v1=a`];

/** Pictures, pages and paths that lead nowhere. */
function otherRequest({ chance, values }: RequestMaker, facts: Facts): FuzzRequest {
  const own = (facts.get('profilePic') ?? []).map(String).filter((path) => path.startsWith('/'));
  const path = values.pick([...own, ...own, ...OTHER_PATHS]);
  const query = chance() < 0.4 ? values.pick(['?w=160', '?w=1e9', '?w=', '?w=a&w=160']) : '';
  const headers = chance() < 0.5 ? {} : { accept: values.pick(['image/jpeg', 'text/html', '*/*']) };
  return {
    call: undefined,
    method: values.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE']),
    path: path + query,
    headers,
    body: undefined,
  };
}
const OTHER_PATHS = [
  ['/', '/user', '/user/', '/user/user/%2e%2e/login', '/proxy', '/proxy/', '/proxy/x', '/docs'],
  ['/docs/openapi.json', '/provider/events', '/proxy/..%2f..%2fetc%2fpasswd', '/%', '/%ff', '/%00'],
  ['/proxy/http:%2f%2f169.254.169.254%2f', `/proxy/${'A'.repeat(9000)}`, '/user/__proto__'],
  ['/constructor', '/docs/../user/user/login', '//evil.example/', '/.git/config', '/.env'],
].flat();
