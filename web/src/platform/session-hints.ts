import type { Platform } from '#shared/platform.ts';

/**
 * What the browser remembers about the session (S§3): hints for choosing a page before the server
 * has been asked. They grant nothing; the session cookie alone does (D2).
 */
export interface SessionHints {
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
   * changes may stay on this device, and the log-in page says why.
   */
  end(ofUserId: string, because: string): void;
  /** What the log-in page has to say about the last session; undefined when it merely ran out. */
  ended(): string | undefined;
  /** Says more about it. */
  sayEnded(sentence: string): void;
  /** Calls back when the hints were cleared, or changed in another window; returns how to stop. */
  onChange(listener: () => void): () => void;
}

const ID = 'id';
const IN_SUBSCRIPTION = 'inSubscription';
const ENDED = 'session-ended';

export function createSessionHints(
  platform: Pick<Platform, 'storage' | 'onStorageChange'>,
): SessionHints {
  const { storage } = platform;
  const listeners = new Set<() => void>();
  const userId = (): string | undefined => storage.read(ID) || undefined;
  const begin: SessionHints['begin'] = (user) => {
    storage.write(ID, user.id);
    storage.write(IN_SUBSCRIPTION, String(user.inSubscription));
  };
  const clear = (ofUserId = userId()): void => {
    if (userId() !== ofUserId) return;
    storage.remove(ID);
    storage.remove(IN_SUBSCRIPTION);
    for (const listener of listeners) listener();
  };
  return {
    userId,
    inSubscription: () => storage.read(IN_SUBSCRIPTION) === 'true',
    begin: (user) => {
      storage.remove(ENDED);
      begin(user);
    },
    remember: (user) => {
      if (userId() === user.id) begin(user);
    },
    clear,
    end: (ofUserId, because) => {
      if (userId() !== ofUserId) return;
      storage.write(ENDED, because);
      clear(ofUserId);
    },
    ended: () => storage.read(ENDED) || undefined,
    sayEnded: (sentence) => storage.write(ENDED, sentence),
    onChange: (listener) => {
      listeners.add(listener);
      const stopListening = platform.onStorageChange(listener);
      return () => {
        listeners.delete(listener);
        stopListening();
      };
    },
  };
}
