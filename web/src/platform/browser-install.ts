import type { PlatformInstall } from '#shared/platform.ts';

/** The browser's own question, which it hands over once it would ask it; it can be asked once. */
interface InstallQuestion extends Event {
  prompt(): Promise<unknown>;
}

/** How browsers on iPhones and iPads, and no others, say whether they show an installed app. */
interface Standalone {
  readonly standalone?: boolean;
}

/**
 * Installing as a browser offers it: it asks the person itself, or leaves it to its share menu. What
 * runs installed already is offered nothing.
 * @param page the window; undefined where there is none
 */
export function createBrowserInstall(
  page: EventTarget | undefined,
  browser: object,
): PlatformInstall {
  const { standalone } = browser as Standalone;
  const changes = new EventTarget();
  let question: InstallQuestion | undefined;
  const keep = (next: InstallQuestion | undefined): void => {
    question = next;
    changes.dispatchEvent(new Event('change'));
  };
  page?.addEventListener('beforeinstallprompt', (event) => {
    // Else the browser asks at once, whatever the person is doing.
    event.preventDefault();
    keep(event as InstallQuestion);
  });
  page?.addEventListener('appinstalled', () => keep(undefined));
  return {
    way: () => {
      if (question) return 'ask';
      return standalone === false ? 'share_menu' : undefined;
    },
    onChange: (listener) => {
      changes.addEventListener('change', listener);
      return () => changes.removeEventListener('change', listener);
    },
    ask: async () => {
      const asked = question;
      keep(undefined);
      await asked?.prompt();
    },
  };
}
