import type { EmblaCarouselType } from 'embla-carousel';

type Engine = ReturnType<EmblaCarouselType['internalEngine']>;
type ScrollBody = Engine['scrollBody'];

/** The carousel calculates in steps of this length, whatever the screen's rate. */
const STEP_MS = 1000 / 60;
/** A first frame takes two steps at once, and the last step is drawn over one more frame. */
const EXTRA_STEPS = 1;

/**
 * The carousel's own `duration` is no time: it pulls a spring, and how long that swings depends on
 * the distance. With this as its `duration`, and the plugin below, a slide takes its milliseconds.
 */
export function slideSteps(slideMs: number): number {
  return Math.round(slideMs / STEP_MS) + EXTRA_STEPS;
}

/**
 * Carousel plugin: a change of slide takes `slideMs`, eased out. Dragging keeps the spring.
 *
 * Measured in Chromium at 60 frames a second, from the click to the last frame that moved: see
 * `web/e2e/landing.spec.ts`.
 */
export function timedSlides(slideMs: number) {
  const steps = slideSteps(slideMs);
  let engine: Engine | undefined;
  let spring: ScrollBody | undefined;
  return {
    name: 'timedSlides',
    options: {},
    init: (carousel: EmblaCarouselType) => {
      engine = carousel.internalEngine();
      spring = engine.scrollBody;
      engine.scrollBody = timedBody(engine, spring, steps);
    },
    destroy: () => {
      if (engine && spring) engine.scrollBody = spring;
    },
  };
}

/** Moves by time while the spring's duration says so, and by the spring otherwise. */
function timedBody(engine: Engine, spring: ScrollBody, steps: number): ScrollBody {
  const { location, previousLocation, target } = engine;
  const move = { from: location.get(), goal: target.get(), at: location.get(), step: steps };
  let isTimed = false;

  const seek = (): ScrollBody => {
    isTimed = spring.duration() === steps;
    if (!isTimed) {
      move.step = steps;
      move.goal = Number.NaN;
      spring.seek();
      return body;
    }
    follow(move, location.get(), target.get());
    previousLocation.set(location);
    move.step = Math.min(move.step + 1, steps);
    move.at = move.from + (move.goal - move.from) * easeOut(move.step / steps);
    location.set(move.at);
    return body;
  };

  const body: ScrollBody = {
    ...spring,
    seek,
    direction: () => (isTimed ? Math.sign(move.goal - move.from) : spring.direction()),
  };
  return body;
}

interface Move {
  from: number;
  goal: number;
  /** Where the last step ended. */
  at: number;
  step: number;
}

/** Begins anew for another goal; a loop that merely shifted everything goes on. */
function follow(move: Move, location: number, goal: number): void {
  if (goal === move.goal) return;
  const shift = location - move.at;
  const isLooped = shift !== 0 && Math.abs(goal - move.goal - shift) < 0.01;
  if (isLooped) move.from += shift;
  else Object.assign(move, { from: location, step: 0 });
  move.goal = goal;
}

/** 0 to 1, fast at first: the end is approached, not hit. */
export function easeOut(share: number): number {
  return 1 - (1 - share) ** 3;
}
