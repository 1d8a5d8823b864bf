import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Call, CallData, CallInput } from '#shared/contract/call.ts';
import type { ErrorAnswer, SuccessAnswer } from '#shared/contract/answer.ts';

export interface ApiResponse<Data = unknown> {
  httpStatus: number;
  /** A success has `data`, an error `code`; read what the test expects. */
  body: Partial<SuccessAnswer<Data>> & Partial<Omit<ErrorAnswer, 'status' | 'message'>>;
  headers: Headers;
}

/** The app in this process, or whatever answers as it does. */
export interface AppUnderTest {
  request(
    path: string,
    init: RequestInit & { headers: Headers },
    peer: { incoming: { socket: { remoteAddress: string } } },
  ): Response | Promise<Response>;
}

/** A client of the app in memory that keeps its cookies, as a browser would. */
export class ApiClient {
  readonly #app: AppUnderTest;
  readonly #address: string;
  readonly #cookies = new Map<string, string>();

  /** `address`: an IP address, or a name that stands for one of its own. */
  constructor(app: AppUnderTest, options: { address?: string } = {}) {
    this.#app = app;
    this.#address = ipAddress(options.address ?? '198.51.100.1');
  }

  /** Sends a call of the contract in its own encoding; `headers` may replace anything. */
  async call<C extends Call>(
    call: C,
    input: CallInput<C>,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse<CallData<C>>> {
    const fields = Object.entries(input ?? {}).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const query = String(new URLSearchParams(fields));
    const response =
      call.encoding === 'query'
        ? await this.send(`${call.path}?${query}`, { method: call.method, headers })
        : await this.send(call.path, {
            method: call.method,
            headers: { 'content-type': contentType(call), ...headers },
            body: call.encoding === 'form' ? query : JSON.stringify(input),
          });
    const body = (await response.json()) as ApiResponse<CallData<C>>['body'];
    return { httpStatus: response.status, body, headers: response.headers };
  }

  /** Sends anything, with the cookies kept so far. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    const cookies = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`);
    if (cookies.length > 0 && !headers.has('cookie')) headers.set('cookie', cookies.join('; '));
    const incoming = { socket: { remoteAddress: this.#address } };
    const response = await this.#app.request(path, { ...init, headers }, { incoming });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return response;
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/;\s*max-age=0\b/i.test(cookie)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

/** An address that a name stands for. */
export function ipAddress(name: string): string {
  if (isIP(name) !== 0) return name;
  return `10.${createHash('sha256').update(name).digest().subarray(0, 3).join('.')}`;
}

function contentType(call: Call): string {
  return call.encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
}
