import type { Mutation } from '#shared/sync/push.ts';
import { createDexieStore, LocalDatabase } from '#web/replica/store/local-database.ts';
import { pushOutbox } from '#web/replica/outbox/push-outbox.ts';
import type { SyncStatus } from '#web/replica/network/sync-status.ts';
import { openTabChannel } from '#web/replica/engine/tabs.ts';
import { type Answer, pushOnly } from '../open-changes.ts';
import { NOW } from './now.ts';

/** The tab that leads, beside the page: it says how the replica stands and sends what is queued when it is woken. */
export class LeadingTab {
  /** The server carries changes out; the replica has yet to hear what they changed. */
  readonly carryOut: Answer;
  /** What the server answers to changes. */
  answer: Answer;
  readonly sent: Mutation[] = [];
  #status: SyncStatus;
  #serial = 0;
  readonly #userId: string;
  /** Opened by the first that is sent: most pages send nothing. */
  #db: LocalDatabase | undefined;
  readonly #channel: ReturnType<typeof openTabChannel>;

  constructor(userId: string, status: SyncStatus) {
    this.#userId = userId;
    this.#status = status;
    const versions = { [`w:${userId}`]: 2, [`b:${userId}`]: 2 };
    this.carryOut = (mutations) => ({
      kind: 'ok',
      value: { results: mutations.map(({ mid }) => ({ mid, status: 'ok', versions })) },
    });
    this.answer = this.carryOut;
    this.#channel = openTabChannel(userId);
    this.#channel.listen((message) => {
      if (message.kind === 'ask') this.say(this.#status);
      if (message.kind === 'wake' && this.#status.kind === 'live') this.#pushUnlessClosed();
    });
  }

  say(status: SyncStatus): void {
    this.#status = status;
    this.#channel.post({ kind: 'status', status });
  }

  /** Sends what waits; without an answer it is offline from then on. */
  async push(): Promise<void> {
    this.#db ??= new LocalDatabase(this.#userId);
    const network = pushOnly((mutations) => {
      this.sent.push(...mutations);
      return this.answer(mutations);
    });
    const pushed = await pushOutbox(
      {
        store: createDexieStore(this.#db),
        network,
        newId: () => {
          this.#serial += 1;
          return `f81d4fae-7dec-41d0-a765-${String(this.#serial).padStart(12, '0')}`;
        },
        now: () => NOW,
        report: () => undefined,
      },
      new AbortController().signal,
    );
    if (pushed.kind === 'unreachable') this.say({ kind: 'offline', asOf: NOW });
  }

  /** A page that is left may have woken it just before. */
  #pushUnlessClosed(): void {
    this.push().catch((error: unknown) => {
      if (this.#db?.isOpen()) throw error;
    });
  }

  close(): void {
    this.#channel.close();
    this.#db?.close();
  }
}
