/** Waiting to be allowed to ask for a picture, or allowed to. */
export interface PictureTurn {
  /** Waits no more; nothing once its turn has come. */
  withdraw: () => void;
  /** The picture has come or can't be had: the next one's turn. Nothing before its turn or twice. */
  end: () => void;
}

/** Who may ask for a picture, and when. */
export interface PictureTurns {
  /** Calls back when its turn has come, possibly at once. */
  ask: (onTurn: () => void) => PictureTurn;
}

/**
 * Lets at most so many pictures be asked for at a time. Who came last is first: in a list that is
 * scrolled it is what is seen now, and what has gone meanwhile was withdrawn before it was asked for.
 */
export function createPictureTurns(most: number): PictureTurns {
  const waiting: Array<() => void> = [];
  let running = 0;

  const next = (): void => {
    while (running < most) {
      const begin = waiting.pop();
      if (!begin) return;
      running += 1;
      begin();
    }
  };

  return {
    ask: (onTurn) => {
      let state: 'waiting' | 'running' | 'over' = 'waiting';
      const begin = (): void => {
        state = 'running';
        onTurn();
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
