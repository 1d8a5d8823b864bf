import type { Platform } from '#shared/platform.ts';
import { Listeners } from './async.ts';

/**
 * What the browser remembers about the session (S§3): markers for choosing a page before the server
 * has been asked. They grant nothing; the session cookie alone does (D2).
 */
export interface SessionMarkers {
  userId(): string | undefined;
  inSubscription(): boolean;
  /** After a log-in. */
  begin(user: { id: string; inSubscription: boolean }): void;
  /** What is news of whoever is signed in; somebody who was replaced in another window stays so. */
  remember(user: { id: string; inSubscription: boolean }): void;
  /**
   * Forgets both: after a log-out, and when the server says that the session has ended. Of a named user:
   * unless somebody else has logged in meanwhile, in another window.
   */
  clear(ofUserId?: string): void;
  /**
   * As `clear`, of a session that was ended from elsewhere or whose account is gone: nothing but unsent
   * changes may stay on this device, or nothing at all, and the log-in page says why.
   */
  end(ofUserId: string, because: string, keeps?: 'unsent' | 'nothing'): void;
  /** What the log-in page has to say about the last session; undefined when it merely ran out. */
  ended(): string | undefined;
  /** Whether not even unsent changes may stay of it. */
  keepsNothing(): boolean;
  /** Says more about it. */
  sayEnded(sentence: string): void;
  /** Calls back when the markers were cleared, or changed in another window; returns how to stop. */
  onChange(listener: () => void): () => void;
}

const ID = 'id';
const IN_SUBSCRIPTION = 'inSubscription';
const ENDED = 'session-ended';
const KEEPS_NOTHING = 'session-keeps-nothing';

export function createSessionMarkers(
  platform: Pick<Platform, 'storage' | 'onStorageChange'>,
): SessionMarkers {
  const { storage } = platform;
  const listeners = new Listeners<void>();
  const userId = (): string | undefined => storage.read(ID) || undefined;
  const begin: SessionMarkers['begin'] = (user) => {
    storage.write(ID, user.id);
    storage.write(IN_SUBSCRIPTION, String(user.inSubscription));
  };
  const clear = (ofUserId = userId()): void => {
    if (userId() !== ofUserId) return;
    storage.remove(ID);
    storage.remove(IN_SUBSCRIPTION);
    listeners.tell();
  };
  return {
    userId,
    inSubscription: () => storage.read(IN_SUBSCRIPTION) === 'true',
    begin: (user) => {
      storage.remove(ENDED);
      storage.remove(KEEPS_NOTHING);
      begin(user);
    },
    remember: (user) => {
      if (userId() === user.id) begin(user);
    },
    clear,
    end: (ofUserId, because, keeps = 'unsent') => {
      if (userId() !== ofUserId) return;
      if (keeps === 'nothing') storage.write(KEEPS_NOTHING, 'true');
      storage.write(ENDED, because);
      clear(ofUserId);
    },
    ended: () => storage.read(ENDED) || undefined,
    keepsNothing: () => storage.read(KEEPS_NOTHING) === 'true',
    sayEnded: (sentence) => storage.write(ENDED, sentence),
    onChange: (listener) => {
      const stops = [listeners.add(listener), platform.onStorageChange(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}
