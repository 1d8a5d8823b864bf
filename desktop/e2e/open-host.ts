import { createServer } from 'node:http';
import { listen } from '../testing/listen.ts';

/** A host outside the product that lets every page in, and writes down what it is asked. */
interface OpenHost {
  url: string;
  asked: string[];
  stop(): Promise<void>;
}

export async function startOpenHost(): Promise<OpenHost> {
  const asked: string[] = [];
  const http = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(200, {
      'access-control-allow-origin': '*',
      'access-control-allow-private-network': 'true',
    });
    response.end('reached');
  });
  http.on('upgrade', (request, socket) => {
    asked.push(`UPGRADE ${request.url}`);
    socket.destroy();
  });
  const url = `http://${await listen(http)}`;
  return {
    url,
    asked,
    stop: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** In a page: asks a host in each way a script can, and tells which rules of the page forbade it. */
export async function askEveryWay(host: string): Promise<string[]> {
  const forbidden = new Set<string>();
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    // A frame's is told after its load, now or later: whether it was asked for is known at the host.
    if (effectiveDirective === 'frame-src') return;
    forbidden.add(`${effectiveDirective} ${new URL(blockedURI).pathname}`);
  });
  const over = (target: EventTarget): Promise<void> =>
    new Promise((resolve) => {
      for (const event of ['load', 'open', 'error'])
        target.addEventListener(event, () => resolve());
    });
  const element = (name: 'img' | 'script' | 'iframe'): Promise<void> => {
    const made = document.createElement(name);
    made.src = `${host}/${name}`;
    document.body.append(made);
    return over(made).finally(() => made.remove());
  };
  const asking = [element('img'), element('script'), element('iframe')];
  asking.push(
    fetch(`${host}/fetch`).then(
      () => undefined,
      () => undefined,
    ),
  );
  navigator.sendBeacon(`${host}/beacon`);
  try {
    asking.push(over(new WebSocket(`${host.replace('http', 'ws')}/socket`)));
  } catch {
    // Some versions refuse at once.
  }
  await Promise.all(asking);
  return [...forbidden].sort();
}
