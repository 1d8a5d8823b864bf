/** Waiting to be allowed to ask for a picture, or allowed to. */
export interface QueuedPicture {
  /** Waits no more; nothing once it may be asked for. */
  withdraw: () => void;
  /** The picture has come or can't be had: the next one may be asked for. Nothing before that, or twice. */
  end: () => void;
}

/** Who may ask for a picture, and when. */
export interface PictureQueue {
  /** Calls back when it may be asked for, possibly at once. */
  ask: (onStart: () => void) => QueuedPicture;
}

/**
 * Lets at most `concurrency` pictures be asked for at a time. Who came last is first: in a list that is
 * scrolled it is what is seen now, and what has gone meanwhile was withdrawn before it was asked for.
 */
export function createPictureQueue(concurrency: number): PictureQueue {
  const waiting: Array<() => void> = [];
  let running = 0;

  const next = (): void => {
    while (running < concurrency) {
      const begin = waiting.pop();
      if (!begin) return;
      running += 1;
      begin();
    }
  };

  return {
    ask: (onStart) => {
      let state: 'waiting' | 'running' | 'over' = 'waiting';
      const begin = (): void => {
        state = 'running';
        onStart();
      };
      waiting.push(begin);
      next();
      return {
        withdraw: () => {
          if (state !== 'waiting') return;
          state = 'over';
          waiting.splice(waiting.indexOf(begin), 1);
        },
        end: () => {
          if (state !== 'running') return;
          state = 'over';
          running -= 1;
          next();
        },
      };
    },
  };
}
