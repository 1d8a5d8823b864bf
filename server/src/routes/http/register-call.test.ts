import { gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { defineCall } from '#shared/contract/call.ts';
import { text, uuid, wholeNumber } from '#shared/contract/fields.ts';
import type { LogFields } from '#server/kit/log.ts';
import { TEST_SETTINGS } from '#test/test-deps.ts';
import { errorResponse } from '#server/kit/http/error-response.ts';
import { type CallRequest, serveCall } from './register-call.ts';

const input = v.object({
  name: text('Please enter a name', 20),
  age: v.optional(wholeNumber('Please enter an age'), 7),
  owner: v.optional(uuid),
});
const form = defineCall({
  method: 'POST',
  path: '/user/form',
  encoding: 'form',
  session: 'none',
  summary: '',
  input,
  data: v.unknown(),
  errors: [],
});
const json = defineCall({ ...form, path: '/user/json', encoding: 'json' });
const query = defineCall({ ...form, method: 'GET', path: '/user/query', encoding: 'query' });

function serve(cardEntry = TEST_SETTINGS.cardEntry) {
  const app = new Hono();
  const settings = { ...TEST_SETTINGS, cardEntry };
  const logged: LogFields[] = [];
  const received: unknown[] = [];
  const ignore = (): undefined => undefined;
  const log = {
    info: ignore,
    warn: ignore,
    error: (_event: string, fields: LogFields = {}) => void logged.push(fields),
  };
  app.onError((error, c) => errorResponse(c, { log }, error));
  const handle = async (request: CallRequest<typeof form>) => {
    if (request.input.name === 'explode') throw new Error('secret detail');
    received.push(request.input);
    return { data: request.input, message: 'Done' };
  };
  serveCall(app, form, 'anyone', { settings }, handle);
  serveCall(app, json, 'anyone', { settings }, handle);
  serveCall(app, query, 'anyone', { settings }, handle);
  const post = async (
    path: string,
    contentType: string | undefined,
    body: string | Uint8Array<ArrayBuffer> | ReadableStream,
    headers: Record<string, string> = {},
  ) => {
    const response = await app.request(path, {
      method: 'POST',
      headers: { ...(contentType && { 'content-type': contentType }), ...headers },
      body,
      duplex: 'half',
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { app, post, logged, received };
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

test('a form call and a JSON call answer with the parsed input', async () => {
  const { post, app } = serve();
  const ofForm = await post('/user/form', FORM, 'name=+Ada+&age=12');
  expect(ofForm).toEqual({
    status: 200,
    body: { status: 'success', message: 'Done', data: { name: 'Ada', age: 12 } },
  });
  const ofJson = await post('/user/json', `${JSON_TYPE}; charset=UTF-8`, '{"name":"Zoë ✿"}');
  expect(ofJson.body['data']).toEqual({ name: 'Zoë ✿', age: 7 });
  const ofQuery = await app.request('/user/query?name=Ada&age=3');
  expect(await ofQuery.json()).toMatchObject({ data: { name: 'Ada', age: 3 } });
});

test('another content type than the call’s own is refused, a missing one too', async () => {
  const { post } = serve();
  const body = '{"name":"Ada"}';
  for (const type of [FORM, 'text/plain', 'multipart/form-data', 'application/jsonp', undefined]) {
    expect(await post('/user/json', type, body)).toMatchObject({
      status: 415,
      body: { status: 'error', code: 'wrong_content_type' },
    });
  }
  for (const type of [JSON_TYPE, 'text/plain', `${FORM}; charset=utf-16`]) {
    expect((await post('/user/form', type, 'name=Ada')).status).toBe(415);
  }
  const zipped = await post('/user/json', JSON_TYPE, body, { 'content-encoding': 'gzip' });
  expect(zipped.status).toBe(415);
});

test('a body of 64 KB passes and one byte more is too large', async () => {
  const { post } = serve();
  const fill = (size: number): string => {
    const frame = '{"name":"Ada","x":""}';
    return frame.replace('""}', `"${'y'.repeat(size - frame.length)}"}`);
  };
  expect((await post('/user/json', JSON_TYPE, fill(65_536))).status).toBe(200);
  expect(await post('/user/json', JSON_TYPE, fill(65_537))).toMatchObject({
    status: 413,
    body: { code: 'body_too_large' },
  });
});

test('a body without a length is cut off while it arrives', async () => {
  const { post } = serve();
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(16_384).fill(32));
    },
  });
  expect((await post('/user/json', JSON_TYPE, endless)).status).toBe(413);
  expect(pulled).toBeLessThan(10);
});

test('a length that lies about a larger body doesn’t let it in', async () => {
  const { post } = serve();
  const body = `{"name":"${'y'.repeat(70_000)}"}`;
  expect((await post('/user/json', JSON_TYPE, body, { 'content-length': '10' })).status).toBe(413);
});

test('with the gateway’s fields a card’s number is refused before the fields are read, and never logged', async () => {
  const scriptUrl = 'https://js.stripe.com/endive/stripe.js';
  const entry = { way: 'gateway', publishableKey: 'pk_test_1', scriptUrl } as const;
  const { post, app, logged, received } = serve(entry);
  const number = '4242424242424242';
  const answers = [
    await post('/user/form', FORM, `ccNum=${number}`),
    await post('/user/json', JSON_TYPE, `{"name":{},"note":"${number}"}`),
    await post('/user/json', JSON_TYPE, String.raw`{"name":"\u0034242\t4242, ${number.slice(8)}"}`),
    await post(`/user/form?cvv=123`, FORM, 'name=Ada&age=12'),
    await post(`/user/json?note=%34242/4242+${number.slice(8)}`, JSON_TYPE, '{"name":"Ada"}'),
  ];
  const asked = await app.request(`/user/query?name=${number}`);
  answers.push({ status: asked.status, body: (await asked.json()) as Record<string, unknown> });
  for (const { status, body } of answers) {
    expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'card_not_taken' });
    expect(JSON.stringify(body)).not.toContain('4242');
  }
  expect({ logged, received }).toEqual({ logged: [], received: [] });
});

test.each([
  ['nothing', ''],
  ['half an object', '{"name":"Ada"'],
  ['an array', '[{"name":"Ada"}]'],
  ['a text', '"Ada"'],
  ['null', 'null'],
  ['nesting beyond the stack', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ['a NUL in a value', String.raw`{"name":"A\u0000da"}`],
  ['half a surrogate pair', String.raw`{"name":"A\ud800"}`],
  ['bytes that are not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
] as Array<[string, string | Uint8Array<ArrayBuffer>]>)(
  '%s is a malformed body',
  async (_name, body) => {
    const { post, received } = serve();
    expect(await post('/user/json', JSON_TYPE, body)).toMatchObject({
      status: 400,
      body: { status: 'error', code: 'malformed_body' },
    });
    expect(received).toEqual([]);
  },
);

test('a NUL in a form or a query is malformed too', async () => {
  const { post, app } = serve();
  expect((await post('/user/form', FORM, 'name=A%00da')).body['code']).toBe('malformed_body');
  const response = await app.request('/user/query?name=A%00da');
  expect(await response.json()).toMatchObject({ code: 'malformed_body' });
});

test('keys of the prototype are ignored and change nothing', async () => {
  const { post, received } = serve();
  const hostile =
    '{"__proto__":{"name":"Eve","isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}';
  expect(await post('/user/json', JSON_TYPE, hostile)).toMatchObject({
    status: 400,
    body: { fields: { name: 'Please enter a name' } },
  });
  await post('/user/json', JSON_TYPE, hostile.replace('{', '{"name":"Ada",'));
  await post('/user/form', FORM, '__proto__=Eve&constructor=Eve&name=Ada');
  expect(received).toEqual([
    { name: 'Ada', age: 7 },
    { name: 'Ada', age: 7 },
  ]);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

test('of a field given twice the last one counts, in either encoding', async () => {
  const { post } = serve();
  const ofForm = await post('/user/form', FORM, 'name=Ada&name=Eve');
  const ofJson = await post('/user/json', JSON_TYPE, '{"name":"Ada","name":"Eve"}');
  expect([ofForm.body['data'], ofJson.body['data']]).toEqual([
    { name: 'Eve', age: 7 },
    { name: 'Eve', age: 7 },
  ]);
});

test('wrong fields are named, each with its first message, and the first is the message', async () => {
  const { post } = serve();
  const answer = await post('/user/json', JSON_TYPE, '{"age":"old","owner":{"a":1}}');
  expect(answer).toEqual({
    status: 400,
    body: {
      status: 'error',
      code: 'invalid_input',
      message: 'Please enter a name',
      fields: {
        name: 'Please enter a name',
        age: 'Please enter an age',
        owner: 'This value is missing or invalid',
      },
    },
  });
});

test('an error nobody foresaw is logged and not shown', async () => {
  const { post, logged } = serve();
  const answer = await post('/user/form', FORM, 'name=explode');
  expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } });
  expect(JSON.stringify(answer.body)).not.toContain('secret');
  expect(logged).toMatchObject([{ method: 'POST', path: '/user/form' }]);
});

test('another method is answered with the one that works', async () => {
  const { app } = serve();
  const response = await app.request('/user/form', { method: 'PUT' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST');
  expect(await response.json()).toEqual({
    status: 'error',
    code: 'method_not_allowed',
    message: 'This address doesn’t support that method.',
  });
});

test('an answer with thousands of accounts is compressed where the client takes it', async () => {
  const app = new Hono();
  const names = Array.from({ length: 5000 }, (_, nth) => `account.number.${nth}`);
  serveCall(app, query, 'anyone', { settings: TEST_SETTINGS }, async () => ({ data: names }));
  const ask = (accept: string) =>
    app.request('/user/query?name=x', { headers: { 'accept-encoding': accept } });
  const [packed, plain] = [await ask('gzip'), await ask('identity')];
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(plain.headers.get('content-encoding')).toBeNull();
  const bytes = await packed.arrayBuffer();
  expect(gunzipSync(bytes).toString()).toBe(await plain.text());
});
