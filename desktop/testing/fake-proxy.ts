import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { ProxyLogin } from '../main/proxy.ts';
import { listen } from './listen.ts';

/** A SOCKS proxy on this machine, which carries on to the address it is asked for. */
interface FakeSocks {
  address: string;
  /** What was asked for, by those who may. */
  asked: string[];
  stop: () => void;
}

/** `login`: what it wants of those who speak SOCKS 5. */
export async function startFakeSocks(login?: ProxyLogin): Promise<FakeSocks> {
  const asked: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    void serve(socket, login, asked).catch(() => socket.destroy());
  });
  return { address: await listen(server), asked, stop: () => void server.close() };
}

async function serve(socket: Socket, login: ProxyLogin | undefined, asked: string[]) {
  const version = (await read(socket))[0];
  if (version === 4) {
    const bytes = present(socket);
    return carry(socket, asked, bytes.subarray(4, 8).join('.'), bytes.readUInt16BE(2), [0, 90]);
  }
  const methods = [...present(socket).subarray(2)];
  const method = login ? 2 : 0;
  socket.write(Buffer.from([5, methods.includes(method) ? method : 255]));
  if (login) {
    const given = await read(socket);
    const user = given.subarray(2, 2 + (given[1] ?? 0)).toString();
    const password = given.subarray(3 + (given[1] ?? 0)).toString();
    const isRight = user === login.user && password === login.password;
    socket.write(Buffer.from([1, isRight ? 0 : 1]));
    if (!isRight) return;
  }
  const call = await read(socket);
  const host = call.subarray(5, 5 + (call[4] ?? 0)).toString();
  carry(socket, asked, host, call.readUInt16BE(call.length - 2), [5, 0, 0, 1]);
}

const last = new WeakMap<Socket, Buffer>();
const present = (socket: Socket): Buffer => last.get(socket) ?? Buffer.alloc(0);

/** What a client writes arrives in one piece on one machine. */
async function read(socket: Socket): Promise<Buffer> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  last.set(socket, bytes);
  return bytes;
}

/** The head of an answer is followed by an address that means nothing. */
function carry(socket: Socket, asked: string[], host: string, port: number, head: number[]): void {
  asked.push(`${host}:${port}`);
  const onward = connect(port, host);
  onward.once('connect', () => {
    socket.write(Buffer.from([...head, 0, 0, 0, 0, 0, 0]));
    onward.pipe(socket).pipe(onward);
  });
  onward.on('error', () => socket.destroy());
}
