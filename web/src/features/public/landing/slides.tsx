import { Carousel } from '@mantine/carousel';
import { HeadlessMantineProvider } from '@mantine/core';
import type { EmblaCarouselType } from 'embla-carousel';
import Autoplay from 'embla-carousel-autoplay';
import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useRef,
  useState,
  type RefObject,
  useEffect,
  useSyncExternalStore,
} from 'react';
import { PRICING_AUTOPLAY_MS, SLIDE_MS } from '#shared/domain/timings.ts';
import { ArrowLeftIcon, ArrowRightIcon, PauseIcon, PlayIcon } from '#web/ui/icons.tsx';
import styles from './slides.module.css';
import { slideSteps, timedSlides } from './timed-slides.ts';
import type { AutoplayType } from 'embla-carousel-autoplay';

/** One slide: what it is called, and what it shows. */
export interface Slide {
  label: string;
  content: ReactNode;
}

const CLASSES = {
  root: styles['root'] ?? '',
  viewport: styles['viewport'] ?? '',
  container: styles['container'] ?? '',
  slide: styles['slide'] ?? '',
  controls: styles['controls'] ?? '',
  control: styles['control'] ?? '',
  indicators: styles['indicators'] ?? '',
  indicator: styles['indicator'] ?? '',
};

/**
 * A carousel: 3 slides at 1200 px and up, 1 below. It turns by itself every 5 s and rests while
 * somebody hovers, focuses it with the keyboard, has paused it, or wants less motion (D9). Without
 * JavaScript its slides scroll sideways.
 */
export function Slides({
  label,
  slides,
  isLooped = false,
}: {
  label: string;
  slides: readonly Slide[];
  isLooped?: boolean;
}) {
  const root = useRef<HTMLDivElement>(null);
  const [carousel, setCarousel] = useState<EmblaCarouselType>();
  const [autoplay] = useState(() =>
    Autoplay({ delay: PRICING_AUTOPLAY_MS, playOnInit: false, stopOnFocusIn: false }),
  );
  const [plugins] = useState(() => [autoplay, timedSlides(SLIDE_MS)]);
  const [isPaused, setIsPaused] = useState(false);
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  useAutoplay({ root, carousel, autoplay, isResting: isPaused || isHovered || isFocused });

  // Touch has no hover to leave, and a click's focus stays where it was: neither may rest it for good.
  const hover = (event: PointerEvent): void => setIsHovered(event.pointerType === 'mouse');
  const focus = (event: FocusEvent): void => setIsFocused(event.target.matches(':focus-visible'));

  return (
    <div
      ref={root}
      role="presentation"
      className={styles['frame']}
      data-live={carousel ? '' : undefined}
      onPointerEnter={hover}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={focus}
      onKeyDown={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
    >
      <HeadlessMantineProvider>
        <Carousel
          aria-label={label}
          classNames={CLASSES}
          emblaOptions={{
            align: 'start',
            loop: isLooped,
            duration: slideSteps(SLIDE_MS),
            breakpoints: { '(prefers-reduced-motion: reduce)': { duration: 0 } },
          }}
          plugins={plugins}
          getEmblaApi={setCarousel}
          withIndicators
          getIndicatorProps={(index) => ({ 'aria-label': slides[index]?.label ?? '' })}
          previousControlProps={{ 'aria-label': 'Previous' }}
          nextControlProps={{ 'aria-label': 'Next' }}
          previousControlIcon={<ArrowLeftIcon />}
          nextControlIcon={<ArrowRightIcon />}
        >
          {slides.map((slide, index) => (
            <Carousel.Slide
              key={slide.label}
              aria-label={`${index + 1} of ${slides.length}: ${slide.label}`}
            >
              {slide.content}
            </Carousel.Slide>
          ))}
        </Carousel>
      </HeadlessMantineProvider>
      <button
        type="button"
        className={styles['pause']}
        aria-label={isPaused ? 'Play' : 'Pause'}
        onClick={() => setIsPaused(!isPaused)}
      >
        {isPaused ? <PlayIcon /> : <PauseIcon />}
      </button>
    </div>
  );
}

const REDUCED_MOTION = '(prefers-reduced-motion: reduce)';

/** Turns the carousel by itself except while it is to rest, and keeps its announcements in step. */
function useAutoplay({
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
