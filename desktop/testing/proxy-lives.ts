/** Runs of the app in networks whose proxies lead nowhere: what counts is that they are asked, and how. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { control, type OpenedWindow } from './fake-electron.ts';
import { startFakeSocks } from './fake-proxy.ts';
import { startFakeServer } from './fake-server.ts';
import { book, outside } from './fake-world.ts';

type Facts = Record<string, unknown>;
const choose = (address: string): Promise<unknown> => control.ask('chooseServer', address);

export async function useProxy(): Promise<Facts> {
  const [proxy, server] = [await startFakeServer(), await startFakeServer()];
  outside.proxies = `PROXY ${proxy.address}; DIRECT`;
  await choose(server.address);
  // Nobody answers there in its language; before that is known, certificates count.
  await choose(`https://${server.address}`);
  const trusted = book.done.includes('trusts the system');
  const facts = { trusted, 'server met directly': server.calls.length };
  const asked = proxy.tunnels;
  const socks = await startFakeSocks();
  outside.proxies = `SOCKS5 ${socks.address}`;
  await choose(`https://${server.address}`);
  return {
    ...facts,
    'asked of the proxy': asked,
    'only the server is asked for by SOCKS': new Set(socks.asked).size === 1,
    'it is': socks.asked[0] === server.address,
  };
}

export async function logInToProxy(
  window: OpenedWindow,
  { data }: { data: string },
): Promise<Facts> {
  const proxy = await startFakeServer();
  proxy.proxyLogin = 'anna:right';
  outside.proxies = `PROXY ${proxy.address}`;
  const ask = () => choose('https://ovation.example');
  const answer = (password: string): Promise<unknown> =>
    control.ask('answerProxy', { user: 'anna', password, isKept: true });
  const named = (told: unknown): unknown =>
    JSON.parse(JSON.stringify(told).replace(proxy.address, 'it'));
  const question = async () => named(await control.ask('readProxyQuestion'));
  const facts: Facts = { without: await ask(), question: await question() };
  await answer('wrong');
  facts['with a wrong one'] = [await ask(), await question()];
  const before = proxy.tunnels;
  await answer('right');
  // It leads nowhere.
  facts['with the right one'] = [await ask(), await question(), proxy.tunnels - before];
  facts['told'] = window.sent.filter((told) => Object(told).proxy !== undefined).map(named);
  const kept = join(data, 'proxy-logins');
  const text = existsSync(kept) ? readFileSync(kept, 'utf8') : 'anna';
  facts['readable on the disk'] = text.includes('anna');
  return facts;
}
