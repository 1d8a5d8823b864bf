import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { STREAM_PATH } from '#shared/sync/stream.ts';
import { SYNC_PROTOCOL, SYNC_SCHEMA } from '#shared/sync/version.ts';
import { PASSWORD, registration } from '../people/customers.ts';
import { freePort } from '../processes/free-port.ts';
import { type RunningProcess, startProcess } from '../processes/process.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const LOG_INS = 12;

let database: TestDatabase;
let product: RunningProcess;
let url: string;
let operatorUrl: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const [port, operatorPort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  operatorUrl = `http://127.0.0.1:${operatorPort}`;
  product = startProcess('server/src/main/serve.ts', {
    DATABASE_URL: database.url ?? '',
    APP_SECRET: 'a secret of the test, 32 and more',
    PORT: String(port),
    OPERATOR_PORT: String(operatorPort),
    // Nobody is there: a sign-up takes the name and looks it up later.
    SANDBOX_PORT: String(await freePort()),
    SANDBOX_SMTP_PORT: String(await freePort()),
  });
  await product.waitFor('"event":"serving"');
});
afterAll(async () => {
  await product.stop();
  await database.close();
});

const send = (path: string, fields: Record<string, unknown>): Promise<Response> => {
  const body = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return fetch(url + path, { method: 'POST', body });
};

/** A request that the node has read the head of: of a connection alone it may let go when it stops. */
async function begin(path: string): Promise<ClientRequest> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'transfer-encoding': 'chunked',
    expect: '100-continue',
  };
  const begun = request(url + path, { method: 'POST', agent: false, headers });
  begun.flushHeaders();
  await once(begun, 'continue');
  return begun;
}

async function end(begun: ClientRequest, fields: Record<string, string>): Promise<number> {
  begun.end(String(new URLSearchParams(fields)));
  const [response] = (await once(begun, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

const ready = async () => (await fetch(`${operatorUrl}/readyz`)).status;

test('told to stop, a node answers what it has taken, ends its streams, takes nothing new, and goes', async () => {
  const signedUp = await send(CALLS.register.path, registration('draining'));
  expect(signedUp.status).toBe(200);
  const cookie = signedUp.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const stream = await fetch(
    `${url}${STREAM_PATH}?protocol=${SYNC_PROTOCOL}&schema=${SYNC_SCHEMA}`,
    { headers: { cookie } },
  );
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  const streamed = stream.text();
  expect(await ready()).toBe(200);

  // Passwords are checked a few at a time, so most of these wait inside when the signal comes.
  const begun = await Promise.all(Array.from({ length: LOG_INS }, () => begin(CALLS.login.path)));
  const logIns = begun.map((each, index) =>
    end(each, { email: `nobody${index}@example.test`, password: PASSWORD }),
  );
  await Promise.race(logIns);
  product.child.kill('SIGTERM');
  expect(await streamed).toContain('event: hello');
  expect(await Promise.all(logIns)).toEqual(Array.from({ length: LOG_INS }, () => 401));
  expect(await product.ended).toBe(0);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  await expect(fetch(`${operatorUrl}/healthz`)).rejects.toThrow('fetch failed');
  expect(product.output()).not.toContain('"severity":"error"');
});
