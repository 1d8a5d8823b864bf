import { useEffect, useState } from 'react';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import styles from './proxy-image.module.css';
import { useQueuedPicture } from './use-queued-picture.ts';

/** The widths the API's image path offers. */
type ImageWidth = 160 | 320 | 640;

interface ProxyImageProps {
  path: string;
  alt: string;
  width: ImageWidth;
  /** Asked for at once, where the page isn't scrolled past it. */
  isEager?: boolean;
}

/**
 * A picture of the network, through the API's own image path; a quiet field while it can't be had.
 * It is asked for again from time to time, but not while offline.
 */
export function ProxyImage({ isEager = false, ...picture }: ProxyImageProps) {
  const { path, alt } = picture;
  const { isDue, onSettled, hold } = useQueuedPicture(isEager || path === '');
  if (path === '') return <Missing alt={alt} />;
  if (!isDue) return <Coming alt={alt} />;
  return <RetriedImage key={path} {...picture} onSettled={onSettled} hold={hold} />;
}

interface RetriedImageProps extends Omit<ProxyImageProps, 'isEager'> {
  onSettled: () => void;
  hold: (image: HTMLImageElement | null) => void;
}

function RetriedImage({ path, alt, width, onSettled, hold }: RetriedImageProps) {
  const { apiOrigin } = useServices().platform;
  const { failures, isWaiting, onError, onLoad } = useRetry(onSettled);
  if (isWaiting) return <Missing alt={alt} />;
  const source = (pixels: ImageWidth): string => `${apiOrigin}${path}?w=${pixels}`;
  const sharper =
    width === 640 ? {} : { srcSet: `${source(width)} 1x, ${source(twice(width))} 2x` };
  return (
    <img
      ref={hold}
      className={failures > 0 ? styles['missing'] : undefined}
      src={source(width)}
      {...sharper}
      alt={alt}
      width={width}
      height={width}
      decoding="async"
      onError={onError}
      onLoad={onLoad}
    />
  );
}

/** Nothing to see but what is behind it, so that nothing flickers when the picture comes. */
function Coming({ alt }: { alt: string }) {
  return <span className="visually-hidden">{alt}</span>;
}

function Missing({ alt }: { alt: string }) {
  return (
    <span className={styles['missing']}>
      <span className="visually-hidden">{alt} (no picture)</span>
    </span>
  );
}

/** Counts the failures since the picture was last had, and waits after each of them. */
function useRetry(onSettled: () => void) {
  const isOnline = useOnline();
  const [failures, setFailures] = useState(0);
  const [isWaiting, setIsWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting || !isOnline) return undefined;
    const timer = setTimeout(() => setIsWaiting(false), pictureRetryMs(failures));
    return () => clearTimeout(timer);
  }, [failures, isWaiting, isOnline]);

  const onError = (): void => {
    onSettled();
    setFailures((before) => before + 1);
    setIsWaiting(true);
  };
  const onLoad = (): void => {
    onSettled();
    setFailures(0);
  };
  return { failures, isWaiting, onError, onLoad };
}

function twice(width: 160 | 320): ImageWidth {
  return width === 160 ? 320 : 640;
}

const RETRY_MS = [3000, 10_000, 30_000, MINUTE_MS] as const;
const RETRY_MAX_MS = 300_000;

/** How long to wait before a picture is asked for again, in milliseconds, after so many failures. */
export function pictureRetryMs(failures: number): number {
  return RETRY_MS[failures - 1] ?? RETRY_MAX_MS;
}
