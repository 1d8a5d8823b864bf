import { useState } from 'react';
import { useServices } from '../platform/services.ts';
import styles from './proxy-image.module.css';

/** The widths the API's image path offers. */
type ImageWidth = 160 | 320 | 640;

/** A picture of the network, through the API's own image path; a quiet field when it can't be had. */
export function ProxyImage({
  path,
  alt,
  width,
  isEager = false,
}: {
  path: string;
  alt: string;
  width: ImageWidth;
  isEager?: boolean;
}) {
  const { apiOrigin } = useServices().platform;
  const [failedPath, setFailedPath] = useState<string>();
  if (path === '' || path === failedPath) {
    return (
      <span className={styles['missing']}>
        <span className="visually-hidden">{alt} (no picture)</span>
      </span>
    );
  }
  const source = (pixels: ImageWidth): string => `${apiOrigin}${path}?w=${pixels}`;
  const sharper =
    width === 640 ? {} : { srcSet: `${source(width)} 1x, ${source(twice(width))} 2x` };
  return (
    <img
      src={source(width)}
      {...sharper}
      alt={alt}
      width={width}
      height={width}
      loading={isEager ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setFailedPath(path)}
    />
  );
}

function twice(width: 160 | 320): ImageWidth {
  return width === 160 ? 320 : 640;
}
