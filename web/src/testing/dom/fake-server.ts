import * as v from 'valibot';
import type { Call, CallData, CallInput } from '#shared/contract/call.ts';
import { ERROR_STATUS, type ErrorCode } from '#shared/contract/error-code.ts';

/** How the server ends a call. */
export type Reply = () => Promise<Response>;

/** A call as it came. */
export interface Asked<C extends Call = Call> {
  input: CallInput<C>;
  /** The names of what was sent, in the order of the alphabet. */
  names: string[];
  idempotencyKey: string | null;
  isForm: boolean;
}

/** A refusal in the server's own words. */
export const refuse =
  (code: ErrorCode, message: string, fields?: Record<string, string>): Reply =>
  async () => {
    const body = { status: 'error', code, message, ...(fields && { fields }) };
    return Response.json(body, { status: ERROR_STATUS[code] });
  };

/** The server is in trouble and says so. */
export const BUSY = 'We are too busy for the moment. Please try again.';
export const isBusy: Reply = refuse('overloaded', BUSY);

/** No answer comes; whether the call took effect nobody knows. */
export const lose: Reply = () => Promise.reject(new TypeError('The network is gone'));

/** What stands in front of the server answers in its place. */
export const breakDown: Reply = async () => new Response('<h1>500</h1>', { status: 500 });

/** An answer that no page knows. */
export const sayOdd: Reply = async () => Response.json({ status: 'odd' });

/** A call that went well, with what it gives and what stands beside that. */
export const succeed =
  <C extends Call>(_call: C, data: CallData<C>, beside: object = {}): Reply =>
  async () =>
    Response.json({ status: 'success', data, ...beside });

/** The server as a page sees it: calls are answered as the test says; one that it says nothing about gets lost. */
export class FakeServer {
  readonly #standing = new Map<string, Reply>();
  readonly #next = new Map<string, Reply[]>();
  readonly #asked = new Map<string, Asked[]>();

  /** Answers a call from now on. */
  on(call: Call, reply: Reply): void {
    this.#standing.set(call.path, reply);
  }

  /** The same, with what it gives. */
  gives<C extends Call>(call: C, data: CallData<C>, beside: object = {}): void {
    this.on(call, succeed(call, data, beside));
  }

  /** Answers the next calls one after the other. */
  next(call: Call, ...replies: Reply[]): void {
    this.#next.set(call.path, [...(this.#next.get(call.path) ?? []), ...replies]);
  }

  /** Holds the next call until the test lets it go; then it is answered, or no answer comes. */
  holdNext(call: Call, reply = lose): () => void {
    const held = Promise.withResolvers<void>();
    this.next(call, async () => {
      await held.promise;
      return reply();
    });
    return () => held.resolve();
  }

  /** The calls of one kind, oldest first. */
  asked<C extends Call>(call: C): Asked<C>[] {
    return this.#asked.get(call.path) ?? [];
  }

  readonly fetch = async (url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const address = url instanceof Request ? url.url : url;
    const { pathname, searchParams } = new URL(address, 'http://localhost');
    const sent = read(init.body) ?? Object.fromEntries(searchParams);
    const asked = {
      input: sent,
      names: Object.keys(sent).toSorted(),
      idempotencyKey: new Headers(init.headers).get('idempotency-key'),
      isForm: init.body instanceof URLSearchParams,
    };
    this.#asked.set(pathname, [...(this.#asked.get(pathname) ?? []), asked]);
    const reply = this.#next.get(pathname)?.shift() ?? this.#standing.get(pathname) ?? lose;
    return reply();
  };
}

function read(body: RequestInit['body']): object | undefined {
  if (body instanceof URLSearchParams) return Object.fromEntries(body);
  return typeof body === 'string' ? (JSON.parse(body) as object) : undefined;
}

/** Whether what a page sent is what the contract takes. */
export const isAllowed = (call: Call, { input }: Asked): boolean =>
  v.safeParse(call.input, input).success;
