import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts';
import { createGraphClient } from '#server/adapters/graph/graph-client.ts';
import type { PostRow } from '#server/network/posts/post.repository.ts';
import { servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { GraphBudget } from '#server/network/allowance/graph-budget.ts';
import { importHistory, type ImportOutcome } from '#server/network/detection/history-import.job.ts';
import { NetworkReader } from '#server/network/allowance/network-reader.ts';
import { controlSandbox } from './control-sandbox.ts';
import { DetectionBench } from './detection-bench.ts';
import type { Customer } from './order-fixture.ts';
import { seededRandom } from '../seeded.ts';
import { createTestDeps, type TestDeps } from '../test-deps.ts';

export const SANDBOX_BUCKET = '17841400000000001';
type GraphClient = ReturnType<typeof createGraphClient>;
type SandboxDeps = Omit<TestDeps, 'network'> & { network: GraphClient };

/** Detection against the sandbox's network: over HTTP, through the real client, on one fake clock. */
export class SandboxDetectionBench extends DetectionBench {
  declare readonly deps: SandboxDeps;
  readonly url: string;
  readonly #sandbox: Sandbox;
  #accounts = 0;

  private constructor(deps: SandboxDeps, sandbox: Sandbox) {
    super(deps);
    this.#sandbox = sandbox;
    this.url = sandbox.url;
  }

  /** `isDemo`: with the accounts that are there from the start. */
  static async open({ isDemo = false } = {}): Promise<SandboxDetectionBench> {
    const fakes = await createTestDeps();
    const now = (): number => fakes.clock.now();
    const settings = {
      port: 0,
      smtpPort: 0,
      statePath: ':memory:',
      providerSecret: 'secret',
      eventsUrl: '',
      isDemo,
    };
    const sleep = (delayMs: number, signal: AbortSignal) => fakes.clock.sleep(delayMs, signal);
    const sandbox = await createSandbox(settings, { now, sleep, random: seededRandom(7) });
    const network = openGraphClient(sandbox.url, now);
    return new SandboxDetectionBench({ ...fakes, network }, sandbox);
  }

  async close(): Promise<void> {
    await this.deps.network.close();
    await this.#sandbox.close();
    await this.deps.database.close();
  }

  /** The same customers, seen by a worker that waits so long for an answer. */
  impatient(timeoutMs: number): { bench: DetectionBench; close: () => Promise<void> } {
    const network = openGraphClient(this.url, () => this.deps.clock.now(), timeoutMs);
    const bench = new DetectionBench({ ...this.deps, network });
    return { bench, close: () => network.close() };
  }

  control(method: string, path: string, body?: object): Promise<unknown> {
    return controlSandbox(this.url, method, path, body);
  }

  /** Plays a scenario of the network. */
  async play(scenario: string, options: object = {}): Promise<void> {
    await this.control('POST', 'faults', { system: 'graph', scenario, ...options });
  }

  /** How often the network has been asked. */
  async calls(): Promise<number> {
    const stats = (await this.control('GET', 'stats')) as Record<string, { total: number }>;
    return stats['graph.calls']?.total ?? 0;
  }

  /** A paying customer of an account of the sandbox; the account has been polled once. */
  async connect(details: object = {}): Promise<Customer> {
    this.#accounts += 1;
    const username = `account${this.#accounts}`;
    const account = await this.control('POST', 'accounts', { username, ...details });
    const customer = await this.schedule(account as { igId: string; username: string });
    await this.poll();
    return customer;
  }

  /** Puts a post on the network; returns its id. */
  async upload({ igUsername }: Customer, details: object = {}): Promise<string> {
    const post = await this.control('POST', `accounts/${igUsername}/posts`, details);
    return (post as { id: string }).id;
  }

  /** Uploads a post and says how it is stored after the next poll. */
  async detect(customer: Customer, details: object = {}): Promise<PostRow> {
    const id = await this.upload(customer, details);
    await this.pollLater();
    return this.post(customer, id);
  }

  async importHistory(customer: Customer): Promise<ImportOutcome> {
    const { workspaceId, accountId, igUsername } = customer;
    const budget = new GraphBudget(this.deps);
    const reader = new NetworkReader(this.deps, budget);
    const source = { budget, reader, events: servePosts(this.deps) };
    const claimed = { workspaceId, accountId, igUsername };
    return importHistory(this.deps, source, claimed, new AbortController().signal);
  }
}

function openGraphClient(url: string, now: () => number, timeoutMs = 10_000): GraphClient {
  return createGraphClient({
    graphUrl: `${url}/graph`,
    tokens: [{ igUserId: SANDBOX_BUCKET, token: 'sandbox-token' }],
    now,
    timeoutMs,
  });
}
