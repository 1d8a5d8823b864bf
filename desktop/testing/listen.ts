import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Lets a server listen on this machine alone; the answer is its "host:port". */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A TCP server's address is never a path.
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
