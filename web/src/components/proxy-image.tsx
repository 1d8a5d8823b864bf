import { useEffect, useState } from 'react';
import { useServices } from '../platform/services.ts';
import { useOnline } from '../platform/use-online.ts';
import { pictureRetryMs } from './picture-retry.ts';
import styles from './proxy-image.module.css';

/** The widths the API's image path offers. */
type ImageWidth = 160 | 320 | 640;

interface ProxyImageProps {
  path: string;
  alt: string;
  width: ImageWidth;
  isEager?: boolean;
}

/**
 * A picture of the network, through the API's own image path; a quiet field while it can't be had.
 * It is asked for again from time to time, but not while offline.
 */
export function ProxyImage(props: ProxyImageProps) {
  const { path, alt } = props;
  return path === '' ? <Missing alt={alt} /> : <RetriedImage key={path} {...props} />;
}

function RetriedImage({ path, alt, width, isEager = false }: ProxyImageProps) {
  const { apiOrigin } = useServices().platform;
  const { failures, isWaiting, onError, onLoad } = useRetry();
  if (isWaiting) return <Missing alt={alt} />;
  const source = (pixels: ImageWidth): string => `${apiOrigin}${path}?w=${pixels}`;
  const sharper =
    width === 640 ? {} : { srcSet: `${source(width)} 1x, ${source(twice(width))} 2x` };
  return (
    <img
      ref={dropWhenGone}
      className={failures > 0 ? styles['missing'] : undefined}
      src={source(width)}
      {...sharper}
      alt={alt}
      width={width}
      height={width}
      loading={isEager ? 'eager' : 'lazy'}
      decoding="async"
      onError={onError}
      onLoad={onLoad}
    />
  );
}

/**
 * A picture that was taken away before it came, as in quick scrolling, is asked for no more. The
 * browser keeps it otherwise, with all that stood around it, for as long as the page is open: one
 * that is put off never comes once it isn't in the page.
 */
function dropWhenGone(image: HTMLImageElement): () => void {
  return () => {
    if (image.complete) return;
    image.removeAttribute('srcset');
    image.removeAttribute('src');
  };
}

function Missing({ alt }: { alt: string }) {
  return (
    <span className={styles['missing']}>
      <span className="visually-hidden">{alt} (no picture)</span>
    </span>
  );
}

/** Counts the failures since the picture was last had, and waits after each of them. */
function useRetry() {
  const isOnline = useOnline();
  const [failures, setFailures] = useState(0);
  const [isWaiting, setIsWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting || !isOnline) return undefined;
    const timer = setTimeout(() => setIsWaiting(false), pictureRetryMs(failures));
    return () => clearTimeout(timer);
  }, [failures, isWaiting, isOnline]);

  const onError = (): void => {
    setFailures((before) => before + 1);
    setIsWaiting(true);
  };
  const onLoad = (): void => setFailures(0);
  return { failures, isWaiting, onError, onLoad };
}

function twice(width: 160 | 320): ImageWidth {
  return width === 160 ? 320 : 640;
}
