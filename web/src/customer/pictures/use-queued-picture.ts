import { createContext, useContext, useEffect, useRef, useState } from 'react';
import type { QueuedPicture, PictureQueue } from './picture-queue.ts';

/** In quick scrolling a row is there for less: what only passes by is never asked for. */
const STAYS_MS = 100;

/** The queue of the pictures inside; without it each is asked for once it has stayed. */
export const PictureQueueContext = createContext<PictureQueue | undefined>(undefined);

interface Queued {
  /** Whether the picture may be asked for. */
  isDue: boolean;
  /** The picture has come or can't be had. */
  onSettled: () => void;
  /** For the element that asks for it. */
  hold: (image: HTMLImageElement | null) => void;
}

/** When a picture may be asked for: at once, or when it has stayed on the page and the queue has come to it. */
export function useQueuedPicture(isEager: boolean): Queued {
  const queue = useContext(PictureQueueContext);
  const [isDue, setIsDue] = useState(isEager);
  const own = useRef<{ queued?: QueuedPicture; image?: HTMLImageElement }>({});
  const mayWait = !isEager && !isDue;
  useEffect(() => {
    if (!mayWait) return undefined;
    const mine = own.current;
    const begin = (): void => setIsDue(true);
    const timer = setTimeout(() => {
      if (queue) mine.queued = queue.ask(begin);
      else begin();
    }, STAYS_MS);
    return () => {
      clearTimeout(timer);
      mine.queued?.withdraw();
    };
  }, [queue, mayWait]);
  useEffect(() => {
    const mine = own.current;
    return () => endWith(mine.image, () => mine.queued?.end());
  }, []);
  const [{ onSettled, hold }] = useState(() => ({
    onSettled: () => own.current.queued?.end(),
    hold: (image: HTMLImageElement | null) => {
      if (image) own.current.image = image;
    },
  }));
  return { isDue: isEager || isDue, onSettled, hold };
}

/** A picture that was taken away goes on loading: only then may another be asked for. */
function endWith(image: HTMLImageElement | undefined, end: () => void): void {
  if (!image || image.complete) {
    end();
    return;
  }
  image.addEventListener('load', end, { once: true });
  image.addEventListener('error', end, { once: true });
}
