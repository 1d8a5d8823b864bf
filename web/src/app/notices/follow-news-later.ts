import type { LocalDatabase } from '#web/replica/store/local-database.ts';
import type { Services } from '#web/platform/services.ts';

/** Follows the news with code that no first screen has to wait for; returns how to stop. */
export function followNewsLater(services: Services, db: LocalDatabase): () => void {
  let isStopped = false;
  let stop: (() => void) | undefined;
  const begin = async (): Promise<void> => {
    const { followNews } = await import('./follow-news.ts');
    if (!isStopped) stop = followNews(services, db);
  };
  begin().catch((error: unknown) =>
    services.platform.report('The news could not be followed', error),
  );
  return () => {
    isStopped = true;
    stop?.();
  };
}
