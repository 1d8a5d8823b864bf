import { browserId } from '#web/platform/browser-id.ts';
import { Listeners } from '#web/platform/async.ts';
import {
  type FromEngine,
  type ToEngine,
  type EngineCommand,
  type EngineSettings,
  runEngine,
} from './run-engine.ts';
import { openTabChannel } from './tabs.ts';

// The engine in a worker of its own: what it reads, unpacks and writes never holds up a page.

const commands = new Listeners<EngineCommand>();
const stopping = new AbortController();
const tell = (message: FromEngine): void => globalThis.postMessage(message, {});

async function run(settings: EngineSettings): Promise<void> {
  try {
    const end = await runEngine(
      settings,
      {
        now: () => Date.now(),
        newId: browserId,
        random: () => Math.random(),
        onStatus: (status) => tell({ kind: 'status', status }),
        report: (event, detail) => tell({ kind: 'report', event, detail: inWords(detail) }),
        onCommand: (listener) => commands.add(listener),
      },
      stopping.signal,
    );
    tell({ kind: 'ended', end });
  } catch (error) {
    tell({ kind: 'broke', detail: inWords(error) });
  }
}

/** Other tabs' wakes come here too: the page may stand still, in a print dialog for instance. */
function hearOtherTabs(userId: string): void {
  openTabChannel(userId).listen((message) => {
    if (message.kind === 'wake') commands.tell({ kind: 'wake' });
  });
}

/** What is thrown may not be cloneable. */
function inWords(detail: unknown): string {
  return detail instanceof Error ? `${detail.name}: ${detail.message}` : JSON.stringify(detail);
}

globalThis.addEventListener('message', ({ data }: MessageEvent<ToEngine>) => {
  switch (data.kind) {
    case 'start':
      hearOtherTabs(data.settings.userId);
      return void run(data.settings);
    case 'command':
      return commands.tell(data.command);
    case 'stop':
      return stopping.abort();
  }
});
