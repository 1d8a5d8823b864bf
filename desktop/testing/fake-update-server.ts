import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { makeUpdateKey, publicKeyOf, readUpdateKey, signChannelFiles } from '../packaging/sign.ts';
import { listen } from './listen.ts';

/** Which answers never end, until it is mended. */
export const HELD_UP = [
  'silence',
  'stall',
  'drip',
  'endless file',
  'endless signature',
  'endless package',
] as const;

/** Which part of what lies there is not what was signed. */
export const WRONG_PARTS = ['signature', 'byte', 'page'] as const;

/** What is wrong with what lies at the address for updates. */
export type UpdateLie = 'none' | (typeof WRONG_PARTS)[number] | (typeof HELD_UP)[number];

export interface UpdateServer {
  url: string;
  /** What the app's package has of the key. */
  publicKey: string;
  /** What was asked for, in its order. */
  asked: string[];
  /** From now on every answer comes to its end. */
  mend: () => void;
  /** Bytes that an answer without end has come to, the buffers in between included. */
  poured: () => number;
}

let poured = 0;

const IMAGE = 'Ovation-2.0.0.AppImage';

/** A folder of version 2.0.0 on a web server. The AppImage is a script that leaves a mark where it starts. */
export async function startUpdateServer(folder: string, lie: UpdateLie): Promise<UpdateServer> {
  mkdirSync(folder, { recursive: true });
  const at = (name: string): string => join(folder, name);
  const image = Buffer.from('#!/bin/sh\necho started > "$0.started"\n');
  const sha512 = createHash('sha512').update(image).digest('base64');
  writeFileSync(at(IMAGE), lie === 'byte' ? image.toString().replace('started', 'stolen!') : image);
  writeFileSync(
    at('latest-linux.yml'),
    [
      'version: 2.0.0',
      `files:\n  - url: ${IMAGE}\n    sha512: ${sha512}\n    size: ${image.length}`,
      `path: ${IMAGE}\nsha512: ${sha512}`,
      'releaseNotes: Faster start.\n',
    ].join('\n'),
  );
  makeUpdateKey(at('key.pem'));
  const key = readUpdateKey(at('key.pem'));
  signChannelFiles(folder, key);
  if (lie === 'signature') {
    writeFileSync(at('latest-linux.yml'), `${readFileSync(at('latest-linux.yml'), 'utf8')}#\n`);
  }
  const asked: string[] = [];
  let isMended = false;
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '', 'http://x').pathname.slice(1);
    asked.push(name);
    if (!isMended && holdUp(lie, name, response)) return;
    try {
      response.end(lie === 'page' ? '<!doctype html><p>Log in' : readFileSync(at(name)));
    } catch {
      response.writeHead(404).end();
    }
  });
  const address = await listen(server);
  server.unref();
  const mend = (): void => void (isMended = true);
  return {
    url: `http://${address}/`,
    publicKey: publicKeyOf(key),
    asked,
    mend,
    poured: () => poured,
  };
}

/** Whether an answer of this name is one that never ends. */
function holdUp(lie: UpdateLie, name: string, response: ServerResponse): boolean {
  const isFile = name.endsWith('.yml');
  if (lie === 'silence') return isFile;
  if (lie === 'stall' && name === IMAGE) return response.write('#!/bin');
  if (lie === 'drip' && isFile) {
    const drip = setInterval(() => response.write('#'), 20);
    response.on('close', () => clearInterval(drip));
    return true;
  }
  const what = isFile ? 'file' : name === IMAGE ? 'package' : 'signature';
  if (lie === `endless ${what}`) {
    const pour = (): void => {
      do poured += 65_536;
      while (response.write('#'.repeat(65_536)));
    };
    response.on('drain', pour);
    pour();
    return true;
  }
  return false;
}
