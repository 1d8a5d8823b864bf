import { createContext, useContext, useEffect, useRef, useState } from 'react';
import type { PictureTurn, PictureTurns } from './picture-turns.ts';

/** In quick scrolling a row is there for less: what only passes by is never asked for. */
const STAYS_MS = 100;

/** The turns of the pictures inside; without it each is asked for once it has stayed. */
export const PictureTurnsContext = createContext<PictureTurns | undefined>(undefined);

interface OwnTurn {
  /** Whether the picture may be asked for. */
  isDue: boolean;
  /** The picture has come or can't be had. */
  onSettled: () => void;
  /** For the element that asks for it. */
  hold: (image: HTMLImageElement | null) => void;
}

/** When a picture may be asked for: at once, or when it has stayed on the page and its turn has come. */
export function usePictureTurn(isEager: boolean): OwnTurn {
  const turns = useContext(PictureTurnsContext);
  const [isDue, setIsDue] = useState(isEager);
  const own = useRef<{ turn?: PictureTurn; image?: HTMLImageElement }>({});
  const mayWait = !isEager && !isDue;
  useEffect(() => {
    if (!mayWait) return undefined;
    const mine = own.current;
    const begin = (): void => setIsDue(true);
    const timer = setTimeout(() => {
      if (turns) mine.turn = turns.ask(begin);
      else begin();
    }, STAYS_MS);
    return () => {
      clearTimeout(timer);
      mine.turn?.withdraw();
    };
  }, [turns, mayWait]);
  useEffect(() => {
    const mine = own.current;
    return () => endWith(mine.image, () => mine.turn?.end());
  }, []);
  const [{ onSettled, hold }] = useState(() => ({
    onSettled: () => own.current.turn?.end(),
    hold: (image: HTMLImageElement | null) => {
      if (image) own.current.image = image;
    },
  }));
  return { isDue: isEager || isDue, onSettled, hold };
}

/** A picture that was taken away goes on loading: only then is it another's turn. */
function endWith(image: HTMLImageElement | undefined, end: () => void): void {
  if (!image || image.complete) {
    end();
    return;
  }
  image.addEventListener('load', end, { once: true });
  image.addEventListener('error', end, { once: true });
}
