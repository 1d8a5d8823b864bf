import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'vite';

/** A bare page on loopback that runs one module of `web/src/testing`, without the product around it. */
export async function serveModule(entry: string): Promise<{ url: string; stop: () => void }> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      rolldownOptions: { input: join(import.meta.dirname, '../src/testing', entry) },
    },
  });
  const outputs = Array.isArray(built) ? built : 'output' in built ? [built] : [];
  const code = outputs.flatMap(({ output }) =>
    output.map((file) => ('code' in file ? file.code : '')),
  );
  const server = createServer((request, response) => {
    const isScript = request.url === '/module.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(
      isScript
        ? code.join('\n')
        : '<!doctype html><script type="module" src="/module.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
