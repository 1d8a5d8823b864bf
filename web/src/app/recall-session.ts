import type { SessionHints } from '../platform/session-hints.ts';

/**
 * Browsers write the hints to disk some seconds late, the local copy at once: after a crash right after
 * a log-in only the copy knows who is signed in. Looks once, when a page begins without hints: hints
 * that go later were taken away on purpose.
 */
export function createRecall(
  hints: SessionHints,
  report: (event: string, detail: unknown) => void,
): () => Promise<void> {
  const hadHints = hints.userId() !== undefined;
  let asked: Promise<void> | undefined;
  const recall = async (): Promise<void> => {
    try {
      // Without a copy, which is the usual case, nothing else is loaded.
      if (!('databases' in indexedDB) || (await indexedDB.databases()).length === 0) return;
      const { findOpenSession } = await import('../local-db/open-session.ts');
      const session = await findOpenSession();
      // Somebody may have logged in meanwhile, in another window.
      if (session && hints.userId() === undefined) hints.begin(session);
    } catch (error) {
      report('The local copy could not be looked for', error);
    }
  };
  return async () => {
    if (!hadHints) await (asked ??= recall());
  };
}
