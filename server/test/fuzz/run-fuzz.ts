import { CALLS } from '#shared/contract/calls.ts';
import { createApp } from '#server/main/app.ts';
import { openSession } from '#server/identity/sessions/session.service.ts';
import { findUserByEmail } from '#server/identity/users/user.repository.ts';
import { ApiClient, type AppUnderTest } from '../calls/api-client.ts';
import { CARD_FORM } from '../money/card-form.ts';
import { PASSWORD, registration } from '../people/customers.ts';
import { FakeClock } from '../fake-clock.ts';
import { patiently, WAIT_MS } from '../patience.ts';
import { seededRandom } from '../seeded.ts';
import { createTestDeps, type TestDeps } from '../test-deps.ts';
import type { TestDatabase } from '../databases/test-database.ts';
import {
  FIRST_ROUNDS,
  type FuzzRequest,
  makeFirstRequest,
  makeRequest,
  type RequestMaker,
} from './fuzz-request.ts';
import { SchemaValues } from './schema-values.ts';
import { openSocket, SOCKET_PEER } from './socket.ts';
import { findFault, type Received } from './verdict.ts';

interface FuzzReport {
  seed: number;
  requests: number;
  /** What was wrong, each with the request that showed it. */
  faults: string[];
  /** By call: how many of its requests ended with which status. */
  statuses: Map<string, Map<number, number>>;
}

interface FuzzOptions {
  seed: number;
  requests: number;
  database?: TestDatabase;
  onProgress?: (done: number) => void;
}

const FAULTS_LIMIT = 20;
const CUSTOMERS = 3;
/** After so many requests a customer has done everything once or is locked out of most. */
const REQUESTS_PER_CUSTOMER = 150;
const KEPT_FACTS = 30;
/** Time passes between requests, so that limits refuse some and let others through. */
const STEP_LIMIT_MS = 8000;

/** With it most customers have a plan, so that there is something to change, pause and pay back. */
const CHECKOUT = { packageIndex: 3, ...CARD_FORM, ccYear: '2034' };

/** Sleeps take no time of ours, but pass on the clock. */
class JumpingClock extends FakeClock {
  override async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    if (!signal?.aborted) this.advance(delayMs);
  }
}

interface Guest {
  client: ApiClient;
  facts: Map<string, unknown[]>;
  email: string;
  sent: number;
  isSignedOut: boolean;
}

/** Sends `requests` seeded requests over HTTP to the product in this process and judges every answer. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { seed, requests } = options;
  const settings = { trustedProxies: [SOCKET_PEER] };
  const deps = await createTestDeps({ ...options, settings, clock: new JumpingClock() });
  const socket = await openSocket(createApp(deps));
  const fuzz = new Fuzz(deps, socket, seed);
  try {
    for (let done = 0; done < requests && fuzz.report.faults.length < FAULTS_LIMIT; done += 1) {
      await fuzz.step();
      fuzz.report.requests += 1;
      options.onProgress?.(done + 1);
    }
    if ('fuzzPolluted' in {}) fuzz.report.faults.push('a request changed every object');
    return fuzz.report;
  } finally {
    await socket.close();
    await deps.database.close();
  }
}

class Fuzz {
  readonly report: FuzzReport;
  readonly #deps: TestDeps;
  readonly #app: AppUnderTest;
  readonly #maker: RequestMaker;
  readonly #guests: Guest[] = [];
  #registered = 0;

  constructor(deps: TestDeps, app: AppUnderTest, seed: number) {
    const chance = seededRandom(seed);
    this.report = { seed, requests: 0, faults: [], statuses: new Map() };
    this.#deps = deps;
    this.#app = app;
    this.#maker = {
      chance,
      values: new SchemaValues(chance),
      secret: deps.settings.providerSecret,
      now: () => deps.clock.now(),
    };
  }

  async step(): Promise<void> {
    const { chance } = this.#maker;
    this.#deps.clock.advance(Math.floor(chance() * STEP_LIMIT_MS));
    if (chance() < 0.006) this.#troubleOutside();
    const guest = await this.#guest(Math.floor(chance() * CUSTOMERS));
    const index = this.report.requests;
    const isFirst = index < FIRST_ROUNDS;
    const request = isFirst
      ? makeFirstRequest(this.#maker, guest.facts, index)
      : makeRequest(this.#maker, guest.facts);
    const isAnonymous = !isFirst && chance() < 0.08;
    const client = isAnonymous ? this.#stranger() : guest.client;
    const isDuplicate = chance() < 0.02;
    const answers = await Promise.all(
      (isDuplicate ? [1, 2] : [1]).map(() => this.#send(client, request)),
    );
    for (const answer of answers) this.#judge(request, answer);
    if (!isAnonymous) this.#learn(guest, answers);
  }

  /** The customer in this place; a new one where the last has had their turn or is gone. */
  async #guest(place: number): Promise<Guest> {
    const known = this.#guests[place];
    if (known && known.sent < REQUESTS_PER_CUSTOMER && (await this.#isBack(known))) {
      known.sent += 1;
      return known;
    }
    const guest = await this.#newGuest();
    this.#guests[place] = guest;
    return guest;
  }

  /** Signs a customer in again without a password, which would cost 50 ms. */
  async #isBack(guest: Guest): Promise<boolean> {
    if (!guest.isSignedOut && guest.client.cookie('ovation') !== undefined) return true;
    const { db } = this.#deps.database;
    const user = await findUserByEmail(db, guest.email);
    if (!user) return false;
    const owner = { workspaceId: user.workspace_id, userId: user.id };
    const session = { ...owner, keepSignedIn: true, userAgent: '' };
    const { token } = await openSession(this.#deps, db, session);
    guest.client.setCookie('ovation', token);
    guest.isSignedOut = false;
    return true;
  }

  async #newGuest(): Promise<Guest> {
    this.#registered += 1;
    const name = `fuzz.${this.#registered}`;
    const { igId } = this.#deps.network.addAccount(name);
    for (let posts = 0; posts < 3; posts += 1) this.#deps.network.addPost(name);
    const client = this.#stranger();
    const { body } = await client.call(CALLS.register, registration(name));
    const facts = new Map<string, unknown[]>([
      ['userId', [body.data?.id]],
      ['igId', [igId]],
      ['email', [`${name}@example.test`, `new.${name}@example.test`]],
      ['password', [PASSWORD]],
      ['igUsername', [name]],
    ]);
    const email = `${name}@example.test`;
    const guest = { client, facts, email, sent: 0, isSignedOut: false };
    const userId = body.data?.id ?? '';
    const known = [JSON.stringify(body)];
    const posts = await client.call(CALLS.getPosts, { igId });
    known.push(JSON.stringify(posts.body));
    if (this.#maker.chance() < 0.7) {
      const paid = await client.call(CALLS.addSubscription, {
        ...CHECKOUT,
        userId,
        igUsername: name,
      });
      known.push(JSON.stringify(paid.body));
    }
    this.#learn(
      guest,
      known.map((text) => ({ path: '', status: 200, headers: new Headers(), text })),
    );
    return guest;
  }

  #stranger(): ApiClient {
    const part = (): number => Math.floor(this.#maker.chance() * 256);
    return new ApiClient(this.#app, { address: `100.${part()}.${part()}.${part()}` });
  }

  async #send(client: ApiClient, request: FuzzRequest): Promise<Received | string> {
    const { method, path, headers, body } = request;
    const stop = new AbortController();
    const hangMs = patiently(WAIT_MS);
    const hang = new Promise<string>((resolve) => {
      const timer = setTimeout(() => resolve(`no answer in ${hangMs} ms`), hangMs);
      stop.signal.addEventListener('abort', () => clearTimeout(timer));
    });
    const ask = async (): Promise<Received> => {
      const init = { method, headers, ...(body !== undefined && { body }) };
      const response = await client.send(path, init);
      const { status, headers: told } = response;
      return { path: pathOf(request), status, headers: told, text: await response.text() };
    };
    try {
      return await Promise.race([ask(), hang]);
    } catch (error) {
      return `threw ${error instanceof Error ? error.stack : 'something'}`;
    } finally {
      stop.abort();
    }
  }

  #judge(request: FuzzRequest, answer: Received | string): void {
    const { call, method, path } = request;
    const isOwn = call && method === call.method && pathOf(request) === call.path;
    const fault = typeof answer === 'string' ? answer : findFault(answer, isOwn ? call : undefined);
    if (typeof answer !== 'string') this.#count(call?.path ?? 'other', answer.status);
    if (fault === undefined) return;
    const body = typeof request.body === 'string' ? request.body : '(bytes)';
    const log = this.#deps.logged.at(-1)?.fields.error;
    const lines = [
      `${fault}: ${method} ${path.slice(0, 200)} ${JSON.stringify(request.headers).slice(0, 300)}`,
      `  sent ${(request.body === undefined ? 'nothing' : body).slice(0, 600)}`,
      `  got ${typeof answer === 'string' ? '-' : `${answer.status} ${answer.text.slice(0, 400)}`}`,
      ...(fault === 'status 500' && log instanceof Error
        ? [
            `  log ${log.stack
              ?.split('\n')
              .filter((line) => !line.includes('node_modules'))
              .join('\n')}`,
          ]
        : []),
    ];
    this.report.faults.push(lines.join('\n'));
  }

  #count(name: string, status: number): void {
    const counts = this.report.statuses.get(name) ?? new Map<number, number>();
    counts.set(status, (counts.get(status) ?? 0) + 1);
    this.report.statuses.set(name, counts);
  }

  /** Keeps the ids and names of answers, for later requests to use; notices being signed out. */
  #learn(guest: Guest, answers: readonly (Received | string)[]): void {
    for (const answer of answers) {
      if (typeof answer === 'string') continue;
      if (answer.status === 401 && answer.text.includes('no_session')) guest.isSignedOut = true;
      if (answer.status === 200 && answer.text.startsWith('{')) harvest(guest.facts, answer.text);
    }
  }

  /** The next call to an outside system fails, or takes effect and its answer is lost. */
  #troubleOutside(): void {
    const { network, gateway } = this.#deps;
    const troubles = [
      () => gateway.queueFailure({ kind: 'unknown', reason: 'fuzz' }),
      () => gateway.queueFailure({ kind: 'declined', code: 'card_declined' }),
      () => gateway.loseAnswers(1),
      () => network.queueRead({ kind: 'unreachable', reason: 'fuzz', usage: undefined }),
      () => network.queueRead({ kind: 'throttled', retryAfterMs: 1000, usage: undefined }),
    ];
    this.#maker.values.pick(troubles)();
  }
}

function pathOf({ path }: FuzzRequest): string {
  return /[^?#]*/.exec(path)?.[0] ?? '';
}

function harvest(facts: Map<string, unknown[]>, text: string): void {
  JSON.parse(text, (key, value: unknown) => {
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return value;
    const known = facts.get(key) ?? [];
    if (known.includes(value)) return value;
    facts.set(key, [...known, value].slice(-KEPT_FACTS));
    return value;
  });
}
