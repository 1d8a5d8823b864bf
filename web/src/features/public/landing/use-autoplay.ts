import type { EmblaCarouselType } from 'embla-carousel';
import type { AutoplayType } from 'embla-carousel-autoplay';
import { type RefObject, useEffect, useSyncExternalStore } from 'react';

const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';

/** Turns the carousel by itself except while it is to rest, and keeps its announcements in step. */
export function useAutoplay({
  root,
  carousel,
  autoplay,
  isResting,
}: {
  root: RefObject<HTMLElement | null>;
  carousel: EmblaCarouselType | undefined;
  autoplay: AutoplayType;
  isResting: boolean;
}): void {
  const isMotionReduced = useIsMotionReduced();
  const rests = isResting || isMotionReduced;

  useEffect(() => {
    if (!carousel) return undefined;
    const follow = (): void => {
      if (rests) autoplay.stop();
      else autoplay.play();
    };
    // Whatever else moved the carousel, the next turn is a whole delay away.
    const beginAnew = (): void => autoplay.reset();
    follow();
    carousel.on('reInit', follow).on('pointerUp', follow).on('select', beginAnew);
    return () => {
      carousel.off('reInit', follow).off('pointerUp', follow).off('select', beginAnew);
    };
  }, [carousel, autoplay, rests]);

  useEffect(() => {
    // A screen reader is told of slides that were asked for, not of those that come by themselves.
    const status = root.current?.querySelector('[role="status"]');
    status?.setAttribute('aria-live', rests ? 'polite' : 'off');
  }, [root, rests]);
}

function useIsMotionReduced(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(REDUCED_MOTION);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(REDUCED_MOTION).matches,
    () => false,
  );
}
