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
  /** Calls back when the hints were cleared, or changed in another window; returns how to stop. */
  onChange(listener: () => void): () => void;
}

const ID = 'id';
const IN_SUBSCRIPTION = 'inSubscription';

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
  return {
    userId,
    inSubscription: () => storage.read(IN_SUBSCRIPTION) === 'true',
    begin,
    remember: (user) => {
      if (userId() === user.id) begin(user);
    },
    clear: (ofUserId = userId()) => {
      if (userId() !== ofUserId) return;
      storage.remove(ID);
      storage.remove(IN_SUBSCRIPTION);
      for (const listener of listeners) listener();
    },
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
