import { expect, test } from 'vitest';
import type { EngineCommand, EngineEnd, EngineHost } from './run-engine.ts';
import { createSyncService, type SyncService } from './sync-service.ts';
import type { Sleep } from '#web/platform/async.ts';
import type { TabChannel, TabMessage } from './tabs.ts';

type Engine = (
  host: Pick<EngineHost, 'onStatus' | 'onCommand'>,
  signal: AbortSignal,
) => Promise<EngineEnd>;

/** Tabs of one browser: one lock, and a channel on which each hears the others. */
function createTabs() {
  const hearing = new Set<{ listener: (message: TabMessage) => void; from: object }>();
  let held = Promise.resolve();
  const openChannel = (): TabChannel => {
    const from = {};
    return {
      post: (message) => {
        for (const one of hearing) if (one.from !== from) one.listener(message);
      },
      listen: (listener) => {
        const one = { listener, from };
        hearing.add(one);
        return () => hearing.delete(one);
      },
      close: () => undefined,
    };
  };
  const whileLeading = (signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
    const mine = held.then(() => (signal.aborted ? undefined : work()));
    held = mine;
    return mine;
  };
  return { openChannel, whileLeading };
}

function openTab(
  tabs: Pick<ReturnType<typeof createTabs>, 'openChannel' | 'whileLeading'>,
  startEngine: Engine,
  sleep: Sleep = async () => undefined,
) {
  const wakers = new Set<() => void>();
  const connectivity = new Set<() => void>();
  const reports: string[] = [];
  let isOnline = true;
  const listening = (listeners: Set<() => void>) => (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const service = createSyncService({
    channel: tabs.openChannel(),
    whileLeading: tabs.whileLeading,
    startEngine,
    sleep,
    onWake: listening(wakers),
    onConnectivityChange: listening(connectivity),
    isOnline: () => isOnline,
    report: (event) => void reports.push(event),
  });
  const goOffline = (): void => {
    isOnline = false;
    for (const listener of connectivity) listener();
  };
  return { service, wakers, reports, goOffline };
}

/** An engine that is live until it is stopped; `commands` are what it was told. */
function liveEngine(commands: EngineCommand[] = []): Engine {
  return (host, signal) => {
    const stop = host.onCommand((command) => void commands.push(command));
    host.onStatus({ kind: 'live' });
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        stop();
        resolve('stopped');
      });
    });
  };
}

const until = (service: SyncService, kind: string): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (service.status().kind === kind) resolve();
    };
    service.subscribe(look);
    look();
  });

test('one tab leads; the others show its status, and their wakes reach its engine', async () => {
  const tabs = createTabs();
  const commands: EngineCommand[] = [];
  const first = openTab(tabs, liveEngine(commands));
  const second = openTab(tabs, () => Promise.reject(new Error('there is a leader')));
  const running = first.service.run();
  await until(first.service, 'live');
  const following = second.service.run();
  await until(second.service, 'live');
  second.service.wake();
  expect(commands).toEqual([{ kind: 'wake' }]);
  second.service.stop();
  first.service.stop();
  await Promise.all([running, following]);
  expect(second.reports).toEqual([]);
});

test('when the leader goes, another tab takes over', async () => {
  const tabs = createTabs();
  const first = openTab(tabs, liveEngine());
  const commands: EngineCommand[] = [];
  const second = openTab(tabs, liveEngine(commands));
  const running = [first.service.run(), second.service.run()];
  await until(first.service, 'live');
  first.service.stop();
  await running[0];
  second.service.wake();
  await expect.poll(() => commands).toEqual([{ kind: 'wake' }]);
  second.service.stop();
  await running[1];
});

test('an ended session rests the engine until somebody comes back', async () => {
  const tabs = createTabs();
  const ends: EngineEnd[] = ['log_in_again'];
  let starts = 0;
  const live = liveEngine();
  const tab = openTab(tabs, (host, signal) => {
    starts += 1;
    const end = ends.shift();
    if (!end) return live(host, signal);
    host.onStatus({ kind: 'log_in_again', asOf: 5 });
    return Promise.resolve(end);
  });
  const running = tab.service.run();
  await until(tab.service, 'log_in_again');
  expect(starts).toBe(1);
  await expect
    .poll(() => {
      for (const waker of tab.wakers) waker();
      return tab.service.status().kind;
    })
    .toBe('live');
  tab.service.stop();
  await running;
  expect(tab.wakers.size).toBe(0);
});

test('an engine that breaks is reported and started again', async () => {
  const live = liveEngine();
  const broken = [true];
  const tab = openTab(createTabs(), (host, signal) =>
    broken.pop() ? Promise.reject(new Error('disk full')) : live(host, signal),
  );
  const seen: string[] = [];
  tab.service.subscribe(() => seen.push(tab.service.status().kind));
  const running = tab.service.run();
  await until(tab.service, 'live');
  expect(tab.reports).toEqual(['The sync engine broke']);
  expect(seen).toEqual(['offline', 'live']);
  tab.service.stop();
  await running;
});

test('screens are told only when the status changes', async () => {
  const seen: string[] = [];
  const live = liveEngine();
  const tab = openTab(createTabs(), (host, signal) => {
    for (let count = 0; count < 3; count += 1) host.onStatus({ kind: 'syncing', asOf: 1 });
    return live(host, signal);
  });
  tab.service.subscribe(() => seen.push(tab.service.status().kind));
  const running = tab.service.run();
  await until(tab.service, 'live');
  tab.service.stop();
  await running;
  expect(seen).toEqual(['syncing', 'live']);
});

test('the engine is told when the shell goes offline', async () => {
  const commands: EngineCommand[] = [];
  const tab = openTab(createTabs(), liveEngine(commands));
  const running = tab.service.run();
  await until(tab.service, 'live');
  tab.goOffline();
  expect(commands).toEqual([{ kind: 'connectivity', isOnline: false }]);
  tab.service.stop();
  await running;
});

test('a tab that wipes the replica ends the others first, and waits for its own engine', async () => {
  const tabs = createTabs();
  const first = openTab(tabs, liveEngine());
  const second = openTab(tabs, liveEngine());
  const released: string[] = [];
  first.service.onReleased(() => released.push('first'));
  const running = [first.service.run(), second.service.run()];
  await until(first.service, 'live');
  await second.service.release();
  await Promise.all(running);
  expect(released).toEqual(['first']);
});

test('without locks a fenced tab shows the other leader’s status, and leads again once that is silent', async () => {
  const { openChannel } = createTabs();
  const tabs = { openChannel, whileLeading: (_: AbortSignal, work: () => Promise<void>) => work() };
  const fence = new AbortController();
  const starts: string[] = [];
  const waits: Array<() => void> = [];
  const live = liveEngine();
  const first = openTab(
    tabs,
    async (host, signal) => {
      starts.push('first');
      if (starts.length > 1) return live(host, signal);
      host.onStatus({ kind: 'live' });
      await new Promise((resolve) => fence.signal.addEventListener('abort', resolve));
      host.onStatus({ kind: 'offline', asOf: 5 });
      return 'fenced';
    },
    () => new Promise((resolve) => waits.push(resolve)),
  );
  const second = openTab(tabs, (host, signal) => {
    host.onStatus({ kind: 'syncing', asOf: 7 });
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
  });
  const running = [first.service.run()];
  await until(first.service, 'live');
  running.push(second.service.run());
  await until(second.service, 'syncing');
  expect(first.service.status(), 'leads as far as it knows').toEqual({ kind: 'live' });
  fence.abort();
  await until(first.service, 'syncing');
  expect(first.service.status()).toEqual({ kind: 'syncing', asOf: 7 });
  waits.shift()?.();
  await expect.poll(() => waits.length).toBe(1);
  expect(starts, 'the other one answered').toEqual(['first']);
  second.service.stop();
  await running[1];
  waits.shift()?.();
  await expect.poll(() => waits.length + starts.length).toBe(2);
  waits.shift()?.();
  await until(first.service, 'live');
  expect(starts).toEqual(['first', 'first']);
  first.service.stop();
  await Promise.all(running);
});
