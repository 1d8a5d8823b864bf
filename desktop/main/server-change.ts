import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { ServerChoice } from '../ipc.ts';
import { checkServer } from './server-address.ts';
import type { SettingsFile } from './settings-file.ts';
import type { Message } from './updates.ts';

export interface ServerChangeDeps {
  settings: SettingsFile;
  /** Forgets the session, the pictures and the window's storage: all that a server left here. */
  forgetServer(): Promise<void>;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** A fresh window in place of the present one. */
  restart(): void;
  /** Changes that have not reached the server, as far as the UI told. */
  pending(): number;
  /** Shows a message and resolves to the number of the button that was pressed. */
  ask(message: Message): Promise<number>;
}

/** The one way from a server to another. The present one stays until the other is chosen and checked. */
export interface ServerChange {
  /** Whether the window asks for a server. */
  isChoosing(): boolean;
  /** The person wants another server: says what is lost, and lets go of nothing yet. */
  begin(): Promise<void>;
  /** Back to the present server, with everything that was there. */
  keep(): void;
  /** Checks an address; when it is a server of ours, belongs to it from now on. */
  choose(address: string): Promise<ServerChoice>;
}

export function createServerChange(deps: ServerChangeDeps): ServerChange {
  let isAskedFor = false;
  const present = (): string | undefined => deps.settings.read().server;
  const isChoosing = (): boolean => isAskedFor || present() === undefined;

  return {
    isChoosing,
    begin: async () => {
      const server = present();
      if (server === undefined || isAskedFor) return;
      if ((await deps.ask(question(server, deps.pending()))) !== 0) return;
      isAskedFor = true;
      deps.restart();
    },
    keep: () => {
      if (!isAskedFor) return;
      isAskedFor = false;
      deps.restart();
    },
    choose: async (address) => {
      if (!isChoosing()) throw new Error('Another server is chosen from the menu only.');
      const choice = await checkServer(address, deps.fetch);
      if (choice.kind !== 'chosen') return choice;
      if (choice.server !== present()) {
        // Before the change is kept: what one server left must never be seen with another.
        await deps.forgetServer();
        deps.settings.change({ server: choice.server });
      }
      isAskedFor = false;
      deps.restart();
      return choice;
    },
  };
}

function question(server: string, pending: number): Message {
  const changes = pending === 1 ? '1 change that has' : `${pending} changes that have`;
  const lost = pending === 0 ? 'Changes that have' : changes;
  return {
    message: `Connect ${PRODUCT_NAME} to another server?`,
    detail: `Once another one is chosen you are logged out of ${server}, and its copy on this computer goes. ${lost} not reached it ${pending === 1 ? 'is' : 'are'} lost.`,
    buttons: ['Choose another server', 'Cancel'],
  };
}
