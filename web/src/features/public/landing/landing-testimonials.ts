import content from '#web/features/public/landing/testimonials.json';
import { readTestimonials, type Testimonial } from './testimonials.ts';

const SAMPLE: Testimonial = {
  quote: 'You only see this in development. It shows where a testimonial would go.',
  handle: 'nobody',
  isHandleBlurred: false,
  avatar: '/favicon.svg',
  followers: 'No followers',
  profileUrl: 'https://example.com/',
  consent: 'Made up, never shipped',
};

/** The operator's testimonials; a labelled sample where there are none, in development only (D1). */
export function landingTestimonials(): { entries: readonly Testimonial[]; isSample: boolean } {
  const entries = readTestimonials(content);
  const isSample = import.meta.env.DEV && entries.length === 0;
  return { entries: isSample ? [SAMPLE] : entries, isSample };
}
