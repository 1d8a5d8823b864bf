import { afterEach, expect, test } from 'vitest';
import {
  openScriptedServer,
  type Script,
  type ScriptedServer,
} from '../http/scripted-server.fake.ts';
import { createHttpImageSource, type HttpImageSourceOptions } from './http-image-source.ts';
import type { ImageSource } from './image-source.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]);

const picture: Script = (response) => {
  response.writeHead(200, { 'content-type': 'image/jpeg' });
  response.end(JPEG);
};

async function open(
  script: Script,
  options: (server: ScriptedServer) => Partial<HttpImageSourceOptions> = () => ({}),
): Promise<{ server: ScriptedServer; source: ImageSource }> {
  const server = await openScriptedServer(script);
  const source = createHttpImageSource({
    hosts: [`127.0.0.1:${server.port}`],
    timeoutMs: 20_000,
    maxBytes: 1000,
    ...options(server),
  });
  closers.push(server.close, () => source.close());
  return { server, source };
}

test('a picture is fetched with its query and without credentials', async () => {
  const { server, source } = await open(picture);
  const outcome = await source.fetchImage(`${server.url}/cdn/1.jpg?oe=6A2F0C11&oh=ab#fragment`);
  expect(outcome).toEqual({ kind: 'image', type: 'image/jpeg', bytes: JPEG });
  expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/cdn/1.jpg?oe=6A2F0C11&oh=ab' });
  expect(Object.keys(server.requests[0]?.headers ?? {}).sort()).toEqual([
    'accept',
    'connection',
    'host',
  ]);
});

const LITERALS = [
  '127.0.0.1',
  '127.1',
  '127.0.0.2',
  '0.0.0.0',
  '0',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '169.254.169.254',
  '2852039166',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[3fff::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localtest.me',
  'metadata.google.internal',
];

test.for(LITERALS)('%s is refused when it is not listed, without a connection', async (host) => {
  const { server, source } = await open(picture, () => ({ hosts: ['cdn.example'] }));
  const outcome = await source.fetchImage(`http://${host}:${server.port}/1.jpg`);
  expect(outcome).toEqual({ kind: 'refused', reason: 'address' });
  expect(server.connectionCount()).toBe(0);
});

const PRIVATE_ADDRESSES = LITERALS.map((host) => URL.parse(`http://${host}`)?.hostname ?? '')
  .map((hostname) => hostname.replaceAll(/[[\]]/g, ''))
  .filter((hostname) => /^[\d.]+$|:/.test(hostname));

test.for([...PRIVATE_ADDRESSES, 'fe80::1%lo', '::ffff:10.0.0.1', 'not an address', ''])(
  'a listed name that leads to %s is not connected to',
  async (address) => {
    const { server, source } = await open(picture, ({ port }) => ({
      hosts: [`cdn.example:${port}`],
      resolve: () => Promise.resolve([address]),
    }));
    const outcome = await source.fetchImage(`http://cdn.example:${server.port}/1.jpg`);
    expect(outcome.kind).toBe('unavailable');
    expect(server.connectionCount()).toBe(0);
  },
);

test('one private address among public ones is enough to refuse', async () => {
  const { server, source } = await open(picture, ({ port }) => ({
    hosts: [`cdn.example:${port}`],
    resolve: () => Promise.resolve(['93.184.215.14', '127.0.0.1']),
  }));
  const outcome = await source.fetchImage(`http://cdn.example:${server.port}/1.jpg`);
  expect(outcome.kind).toBe('unavailable');
  expect(server.connectionCount()).toBe(0);
});

test('a name that changes its mind between two fetches is checked at each', async () => {
  const answers = [['127.0.0.1'], ['127.0.0.1'], ['10.0.0.1']];
  const { server, source } = await open(picture, ({ port }) => ({
    hosts: [`localhost:${port}`, `cdn.example:${port}`],
    resolve: (hostname) =>
      Promise.resolve(hostname === 'localhost' ? ['127.0.0.1'] : (answers.shift() ?? [])),
  }));
  // The same server, listed as this machine itself, can be reached: it is the check that refuses.
  expect((await source.fetchImage(`http://localhost:${server.port}/1.jpg`)).kind).toBe('image');
  expect(server.connectionCount()).toBe(1);
  for (let tries = 0; tries < 3; tries += 1) {
    const outcome = await source.fetchImage(`http://cdn.example:${server.port}/1.jpg`);
    expect(outcome.kind).toBe('unavailable');
  }
  expect(server.connectionCount()).toBe(1);
});

test('a name is resolved once for a connection, so there is no second answer to fall for', async () => {
  const asked: string[] = [];
  const { server, source } = await open(picture, ({ port }) => ({
    hosts: [`localhost:${port}`],
    resolve: (hostname) => {
      asked.push(hostname);
      return Promise.resolve(['127.0.0.1']);
    },
  }));
  await source.fetchImage(`http://localhost:${server.port}/1.jpg`);
  expect(asked).toEqual(['localhost']);
});

test.for([
  'ftp://127.0.0.1:PORT/1.jpg',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'gopher://127.0.0.1:PORT/',
  'javascript:alert(1)',
  '//127.0.0.1:PORT/1.jpg',
  '/cdn/1.jpg',
  '',
  'http://user@127.0.0.1:PORT/1.jpg',
  'http://user:password@127.0.0.1:PORT/1.jpg',
  'http://:password@127.0.0.1:PORT/1.jpg',
  'http://127.0.0.1:PORT@evil.example/1.jpg',
  'http://127.0.0.1:PORT.evil.example/1.jpg',
  'http://127.0.0.1/1.jpg',
  'http://127.0.0.1:1/1.jpg',
  'http://127.0.0.2:PORT/1.jpg',
  'http://evil.example#127.0.0.1:PORT',
  'http://evil.example\\@127.0.0.1:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/1.jpg',
  'http://cdn.example.evil.example/1.jpg',
  'http://evilcdn.example/1.jpg',
  'http://.cdn.example/1.jpg',
  'http://cdn.example./1.jpg',
  'http://cdn.example%2eevil.example/',
  'http://cdn。example.evil/1.jpg',
])('%s is refused without a connection', async (template) => {
  const { server, source } = await open(picture, ({ port }) => ({
    hosts: [`127.0.0.1:${port}`, 'cdn.example'],
    resolve: () => Promise.resolve(['127.0.0.1']),
  }));
  const outcome = await source.fetchImage(template.replace('PORT', String(server.port)));
  expect(outcome).toEqual({ kind: 'refused', reason: 'address' });
  expect(server.connectionCount()).toBe(0);
});

test('a wildcard stands for hosts below it only', async () => {
  const source = createHttpImageSource({
    hosts: ['*.cdn.example'],
    resolve: () => Promise.resolve([]),
  });
  closers.push(() => source.close());
  const kindOf = async (host: string): Promise<string> =>
    (await source.fetchImage(`https://${host}/1.jpg`)).kind;
  expect(await kindOf('a.cdn.example')).toBe('unavailable');
  expect(await kindOf('A.B.CDN.example')).toBe('unavailable');
  for (const host of [
    'cdn.example',
    'evilcdn.example',
    'a.cdn.example:81',
    'a.cdn.example.evil.x',
  ]) {
    expect(await kindOf(host)).toBe('refused');
  }
});

test('a redirect is not followed', async () => {
  const { server, source } = await open((response) => {
    response.writeHead(302, { location: '/elsewhere.jpg' });
    response.end(JPEG);
  });
  const outcome = await source.fetchImage(`${server.url}/1.jpg`);
  expect(outcome).toEqual({ kind: 'unavailable', reason: 'http_302' });
  expect(server.requests).toHaveLength(1);
});

test.for([
  [403, 'expired'],
  [404, 'expired'],
  [410, 'expired'],
  [500, 'unavailable'],
  [204, 'unavailable'],
] as const)('status %i is %s', async ([status, kind]) => {
  const { server, source } = await open((response) => {
    response.writeHead(status);
    response.end();
  });
  expect((await source.fetchImage(`${server.url}/1.jpg`)).kind).toBe(kind);
});

test.for([
  ['a web page', '<html>', 'type'],
  ['a drawing with scripts', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'type'],
  ['a GIF', 'GIF89a......', 'type'],
  ['a film', '\0\0\0\x18ftypmp42\0\0\0\0isommp42', 'type'],
  ['nothing', '', 'type'],
  ['too many bytes', 'x'.repeat(1001), 'size'],
] as const)('%s is refused whatever it is called', async ([, body, reason]) => {
  const { server, source } = await open((response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' });
    response.end(Buffer.from(body, 'latin1'));
  });
  expect(await source.fetchImage(`${server.url}/1.jpg`)).toEqual({ kind: 'refused', reason });
});

test.for([
  ['image/png', '\x89PNG\r\n\x1a\n...'],
  ['image/webp', 'RIFF\x10\0\0\0WEBPVP8 '],
  ['image/avif', '\0\0\0\x1cftypavif\0\0\0\0mif1miaf'],
  ['image/avif', '\0\0\0\x1cftypmif1\0\0\0\0miafavif'],
] as const)('%s is known by its bytes', async ([type, body]) => {
  const { server, source } = await open((response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end(Buffer.from(body, 'latin1'));
  });
  expect(await source.fetchImage(`${server.url}/1`)).toMatchObject({ kind: 'image', type });
});

test('a host that never finishes is given up', async () => {
  const neverEnding: Script = (response) => {
    response.writeHead(200);
    response.write(JPEG);
  };
  const { server, source } = await open(neverEnding, () => ({ timeoutMs: 300 }));
  const outcome = await source.fetchImage(`${server.url}/1.jpg`);
  expect(outcome).toEqual({ kind: 'unavailable', reason: 'time_out' });
});
