import { expect, onTestFinished, test } from 'vitest';
import { patiently, WAIT_MS } from '#test/patience.ts';
import { seededBytes } from '#test/seeded.ts';
import { openScriptedServer, type Script } from '../http/scripted-server.fake.ts';
import { isLoopbackAddress } from '../images/public-address.ts';
import { createHttpPushSender, type EndpointPolicy, PUBLIC_ENDPOINTS } from './http-push-sender.ts';
import { BROWSER_KEYS, pushSenderConformance } from './push-sender.conformance.ts';

const create = (endpoints: EndpointPolicy, timeoutMs = patiently(WAIT_MS)) =>
  createHttpPushSender({
    appSecret: 'a-secret-of-at-least-32-characters-here',
    contact: 'mailto:help@example.test',
    now: () => 1_000_000,
    random: seededBytes(1),
    endpoints,
    timeoutMs,
  });

/** A push service of our own, the one place that may be reached. */
async function openService(script: Script, timeoutMs?: number) {
  const service = await openScriptedServer(script);
  const sender = create(
    {
      allowsUrl: ({ origin }) => origin === service.url,
      allowsAddress: isLoopbackAddress,
    },
    timeoutMs,
  );
  const close = async (): Promise<void> => {
    await sender.close();
    await service.close();
  };
  return { service, sender, close, endpoint: `${service.url}/push/1?a=b` };
}

pushSenderConformance('The HTTP push sender', async () => {
  const statuses: number[] = [];
  const { sender, close, endpoint } = await openService((response) => {
    response.writeHead(statuses.shift() ?? 201).end();
  });
  return {
    sender,
    target: { endpoint, ...BROWSER_KEYS },
    answerOnce: async (status) => void statuses.push(status),
    close,
  };
});

test('what is sent says who sends and how long it is good, and not what it says', async () => {
  const { service, sender, close, endpoint } = await openService((response) => {
    response.writeHead(201).end();
  });
  onTestFinished(close);
  expect(await sender.send({ endpoint, ...BROWSER_KEYS }, '500 likes')).toEqual({ kind: 'sent' });
  const [request] = service.requests;
  expect(request).toMatchObject({
    method: 'POST',
    path: '/push/1?a=b',
    headers: { ttl: '86400', 'content-encoding': 'aes128gcm' },
  });
  expect(request?.headers.authorization).toContain(`k=${sender.publicKey}`);
  expect(request?.body).not.toContain('500 likes');
});

test('a service that never answers is given up', async () => {
  const { sender, close, endpoint } = await openService(() => undefined, 50);
  onTestFinished(close);
  expect(await sender.send({ endpoint, ...BROWSER_KEYS }, 'Hello')).toEqual({
    kind: 'unavailable',
    reason: 'time_out',
  });
});

test('a redirect is not followed', async () => {
  const { service, sender, close, endpoint } = await openService((response) => {
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  onTestFinished(close);
  expect((await sender.send({ endpoint, ...BROWSER_KEYS }, 'Hello')).kind).toBe('refused');
  expect(service.requests).toHaveLength(1);
});

test.for([
  'https://push.example:8443/1',
  'https://ada:secret@push.example/1',
  'https://93.184.216.34/1',
  'https://[2606:4700::1111]/1',
  'https://2130706433/1',
  'https://intranet/1',
  'file:///etc/passwd',
  `https://push.example/${'a'.repeat(1000)}`,
])('customers can’t have us post to %s', async (endpoint) => {
  const sender = create(PUBLIC_ENDPOINTS);
  onTestFinished(() => sender.close());
  expect(sender.allows({ endpoint: 'https://push.example/1', ...BROWSER_KEYS })).toBe(true);
  expect(sender.allows({ endpoint, ...BROWSER_KEYS })).toBe(false);
});

test('a name that leads into our own network is not connected to', async () => {
  const { service, close } = await openService((response) => {
    response.writeHead(201).end();
  });
  const sender = create({ ...PUBLIC_ENDPOINTS, allowsUrl: () => true });
  onTestFinished(async () => {
    await sender.close();
    await close();
  });
  const endpoint = `http://localhost:${service.port}/1`;
  expect((await sender.send({ endpoint, ...BROWSER_KEYS }, 'Hello')).kind).toBe('unavailable');
  expect(service.connectionCount()).toBe(0);
});
