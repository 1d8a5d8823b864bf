import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeUpdateKey, publicKeyOf, readUpdateKey, signChannelFiles } from '../packaging/sign.ts';
import { listen } from '../testing/listen.ts';
import { signedProvider } from './signed-updater.ts';

const CHANNEL = `version: 2.0.0
files:
  - url: Ovation-2.0.0.AppImage
    sha512: dGhlIGRpZ2VzdA==
    size: 9
path: Ovation-2.0.0.AppImage
sha512: dGhlIGRpZ2VzdA==
`;

let folder: string;
let server: Server;
let address: string;
let asked: string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ovation-updates-'));
  makeUpdateKey(join(folder, 'key.pem'));
  makeUpdateKey(join(folder, 'other.pem'));
  server = createServer((request, response) => {
    const name = new URL(request.url ?? '', 'http://x').pathname.slice('/folder/'.length);
    asked.push(name);
    try {
      response.end(readFileSync(join(folder, name)));
    } catch {
      response.writeHead(404).end();
    }
  });
  address = await listen(server);
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const at = (name: string): string => join(folder, name);
beforeEach(() => {
  writeFileSync(at('latest-linux.yml'), CHANNEL);
  signChannelFiles(folder, readUpdateKey(at('key.pem')));
  asked = [];
});

/** What an app with that key hears from the server, asked as electron-updater asks. */
function latest(keyName = 'key.pem') {
  const key = publicKeyOf(readUpdateKey(at(keyName)));
  const Provider = signedProvider(`http://${address}/folder/`, key);
  const updater = { channel: null, isAddNoCacheQuery: true };
  const executor = { request: fetchText, createRequest: () => undefined };
  const options = { executor, platform: 'linux', isUseMultipleRangeRequest: false };
  // Of both, a provider uses these parts alone.
  const given = [updater, options] as unknown as [never, never];
  return new Provider({}, ...given).getLatestVersion();
}

function fetchText(options: object): Promise<string> {
  return new Promise((resolve, reject) => {
    get(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString());
        else reject(new Error(`http ${response.statusCode}`));
      });
    }).on('error', reject);
  });
}

test('a channel’s file with its signature is taken', async () => {
  expect(await latest()).toMatchObject({ version: '2.0.0' });
  expect(signChannelFiles(folder, readUpdateKey(at('key.pem')))).toEqual(['latest-linux.yml']);
  expect(asked).toEqual(['latest-linux.yml', 'latest-linux.yml.sig']);
});

test.each([
  ['another version', (text: string) => text.replace('2.0.0', '2.0.1')],
  ['another digest', (text: string) => text.replace('dGhl', 'dGhm')],
  ['one more line', (text: string) => `${text}stagingPercentage: 100\n`],
  ['other line ends', (text: string) => text.replaceAll('\n', '\r\n')],
  ['nothing in it', () => ''],
])('a channel’s file with %s is refused', async (_what, change) => {
  writeFileSync(at('latest-linux.yml'), change(CHANNEL));
  await expect(latest()).rejects.toThrow('no update is taken');
});

test.each([
  ['a wrong byte', (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)],
  ['a part missing', (text: string) => text.slice(0, 40)],
  ['other words', () => 'signed, the operator'],
  ['nothing in it', () => ''],
])('a signature with %s is refused', async (_what, change) => {
  writeFileSync(
    at('latest-linux.yml.sig'),
    change(readFileSync(at('latest-linux.yml.sig'), 'utf8')),
  );
  await expect(latest()).rejects.toThrow('no update is taken');
});

test('a missing signature, and one of another key, are refused', async () => {
  await expect(latest('other.pem')).rejects.toThrow('no update is taken');
  rmSync(at('latest-linux.yml.sig'));
  await expect(latest()).rejects.toThrow('http 404');
});

test('a key is made once, and a file that holds none is named', () => {
  expect(() => makeUpdateKey(at('key.pem'))).toThrow('EEXIST');
  expect(() => readUpdateKey(at('latest-linux.yml'))).toThrow('holds no key for updates');
});
