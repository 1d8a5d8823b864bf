import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import { StartError } from '../start-error.ts';

/** Where a listener of the product stands. */
export interface Listener {
  host: string;
  port: number;
}

/** How long open requests may take to end when the server stops. */
const DRAIN_MS = 10_000;
/** A connection whose request has ended would otherwise be kept for the next one. */
const IDLE_CHECK_MS = 50;

/**
 * Serves an app on the configured address. Returns how to stop: for `goOnMs` more it takes requests, until
 * whoever sends them has seen that others should get them; then open requests end.
 */
export async function listen(
  app: { fetch: (request: Request, env?: object) => Response | Promise<Response> },
  config: Listener,
  { portVariable = 'PORT', goOnMs = 0 }: { portVariable?: string; goOnMs?: number } = {},
): Promise<() => Promise<void>> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(listenError(config, portVariable, cause)),
    );
    server.listen(config.port, config.host, resolve);
  });
  return () => close(server, goOnMs);
}

function listenError(
  config: Listener,
  portVariable: string,
  cause: NodeJS.ErrnoException,
): StartError {
  if (cause.code === 'EADDRINUSE') {
    return new StartError(
      `Port ${config.port} on ${config.host} is in use. Stop what uses it, or set ${portVariable} to another one.`,
      { cause },
    );
  }
  return new StartError(
    `Can’t listen on ${config.host}:${config.port} (${cause.code ?? cause.name}). Set HOST and ${portVariable} to an address of this machine.`,
    { cause },
  );
}

async function close(server: Server, goOnMs: number): Promise<void> {
  if (goOnMs > 0) await sleep(goOnMs);
  await new Promise<void>((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    server.close(() => {
      clearTimeout(force);
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
}
