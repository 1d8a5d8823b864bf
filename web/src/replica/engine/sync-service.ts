import { Listeners, type Sleep } from '#web/platform/async.ts';
import type { EngineCommand, EngineEnd, EngineHost } from './run-engine.ts';
import type { SyncStatus } from '../network/sync-status.ts';
import type { TabChannel, TabMessage } from './tabs.ts';

/** Something long-running: `run` resolves after `stop`, and may be run again. */
export interface Service {
  run: () => Promise<void>;
  stop: () => void;
}

/** Keeps the replica of one user right, in one tab of all that are open. */
export interface SyncService extends Service {
  status: () => SyncStatus;
  /** Calls back when the status changed; returns how to stop. */
  subscribe: (listener: () => void) => () => void;
  /** Sends what is queued and reads what is new, now instead of when it would be due. */
  wake: () => void;
  /** Ends every tab's work on the replica; resolves when this one has let go of it. */
  release: () => Promise<void>;
  /** Calls back when another tab is about to wipe the replica; returns how to stop. */
  onReleased: (listener: () => void) => () => void;
}

interface SyncDeps {
  channel: TabChannel;
  /** Runs the work once this tab leads; see `whileLeading`. */
  whileLeading: (signal: AbortSignal, work: () => Promise<void>) => Promise<void>;
  startEngine: (
    host: Pick<EngineHost, 'onStatus' | 'onCommand'>,
    signal: AbortSignal,
  ) => Promise<EngineEnd>;
  sleep: Sleep;
  /** Calls back when the person or the network returns. */
  onWake: (listener: () => void) => () => void;
  onConnectivityChange: (listener: () => void) => () => void;
  isOnline: () => boolean;
  report: (event: string, detail: unknown) => void;
}

/** An engine that broke is tried again after so long. */
const BROKEN_MS = 5000;
/** A leader that doesn't answer for so long is gone, or asleep in the background. */
const SILENT_MS = 10_000;

/**
 * The sync of one tab:
 *
 *   run ──> wait for the lead (the status comes from the leader's tab) ──> engine until stopped
 *              log in again, upgrade: the engine rests until a wake
 *              fenced: another tab leads, whose status is shown as long as it answers
 */
export function createSyncService(deps: SyncDeps): SyncService {
  const tab = new Tab(deps);
  const released = new Listeners<void>();
  let stopping = new AbortController();
  let running = Promise.resolve();

  const hear = (message: TabMessage): void => {
    if (message.kind !== 'wiping') return tab.hear(message);
    stopping.abort();
    return released.tell();
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    const stops = [
      deps.channel.listen(hear),
      deps.onWake(() => tab.wake()),
      deps.onConnectivityChange(() => tab.tellConnectivity()),
    ];
    try {
      deps.channel.post({ kind: 'ask' });
      await deps.whileLeading(signal, () => tab.lead(signal));
    } catch (error) {
      deps.report('Sync broke', error);
    } finally {
      for (const stop of stops) stop();
    }
  };

  return {
    run: () => {
      stopping.abort();
      stopping = new AbortController();
      const { signal } = stopping;
      running = running.then(() => run(signal));
      return running;
    },
    stop: () => stopping.abort(),
    release: async () => {
      stopping.abort();
      deps.channel.post({ kind: 'wiping' });
      await running;
    },
    wake: () => tab.wake(),
    status: () => tab.status,
    subscribe: (listener) => tab.changes.add(listener),
    onReleased: (listener) => released.add(listener),
  };
}

/** One tab among those of the same user: it leads, or shows what the leader says. */
class Tab {
  status: SyncStatus = { kind: 'starting' };
  readonly changes = new Listeners<void>();
  readonly #commands = new Listeners<EngineCommand>();
  readonly #deps: SyncDeps;
  #isLeading = false;
  #hasHeardLeader = false;

  constructor(deps: SyncDeps) {
    this.#deps = deps;
  }

  wake(): void {
    if (this.#isLeading) this.#commands.tell({ kind: 'wake' });
    else this.#deps.channel.post({ kind: 'wake' });
  }

  tellConnectivity(): void {
    this.#commands.tell({ kind: 'connectivity', isOnline: this.#deps.isOnline() });
  }

  hear(message: TabMessage): void {
    const { channel } = this.#deps;
    if (!this.#isLeading && message.kind === 'status') {
      this.#hasHeardLeader = true;
      this.#show(message.status);
    } else if (this.#isLeading && message.kind === 'wake') this.wake();
    else if (this.#isLeading && message.kind === 'ask') {
      channel.post({ kind: 'status', status: this.status });
    }
  }

  async lead(signal: AbortSignal): Promise<void> {
    this.#isLeading = true;
    try {
      while (!signal.aborted) {
        const end = await this.#runEngine(signal);
        if (end === 'broke') {
          this.#show({ kind: 'offline', asOf: asOfOf(this.status) });
          await this.#deps.sleep(BROKEN_MS, signal);
        } else if (end === 'fenced') await this.#standBack(signal);
        else if (end === 'gone') return this.#show({ kind: 'upgrade', asOf: undefined });
        else if (!signal.aborted) await this.#nextCommand(signal);
      }
    } finally {
      this.#isLeading = false;
    }
  }

  /** Only without locks two tabs lead at once: the one that was fenced follows the other. */
  async #standBack(signal: AbortSignal): Promise<void> {
    this.#isLeading = false;
    do {
      this.#hasHeardLeader = false;
      this.#deps.channel.post({ kind: 'ask' });
      await this.#deps.sleep(SILENT_MS, signal);
    } while (this.#hasHeardLeader && !signal.aborted);
    this.#isLeading = !signal.aborted;
  }

  async #runEngine(signal: AbortSignal): Promise<EngineEnd | 'broke'> {
    const host = {
      onStatus: (status: SyncStatus): void => this.#show(status),
      onCommand: (listener: (command: EngineCommand) => void) => this.#commands.add(listener),
    };
    try {
      return await this.#deps.startEngine(host, signal);
    } catch (error) {
      this.#deps.report('The sync engine broke', error);
      return 'broke';
    }
  }

  #show(next: SyncStatus): void {
    if (JSON.stringify(next) === JSON.stringify(this.status)) return;
    this.status = next;
    if (this.#isLeading) this.#deps.channel.post({ kind: 'status', status: next });
    this.changes.tell();
  }

  #nextCommand(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        stop();
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const stop = this.#commands.add(finish);
      signal.addEventListener('abort', finish);
    });
  }
}

function asOfOf(status: SyncStatus): number | undefined {
  return 'asOf' in status ? status.asOf : undefined;
}
