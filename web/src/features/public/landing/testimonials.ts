import * as v from 'valibot';

const Testimonial = v.object({
  quote: v.pipe(v.string(), v.minLength(1)),
  handle: v.pipe(v.string(), v.minLength(1)),
  isHandleBlurred: v.optional(v.boolean(), false),
  /** A file of this site's own, e.g. "/testimonials/ada.webp". */
  avatar: v.pipe(v.string(), v.regex(/^\/(?!\/)/, 'An avatar is a file of this site: "/…".')),
  /** E.g. "12,400 followers". */
  followers: v.string(),
  profileUrl: v.pipe(v.string(), v.regex(/^https:\/\//, 'A profile is an https address.')),
  /** When and how the quoted person agreed to be shown; never displayed. */
  consent: v.pipe(v.string(), v.minLength(10, 'Say when and how the person agreed.')),
  /** Only with a basis: where the person gave these stars. */
  rating: v.optional(
    v.object({
      stars: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
      basis: v.pipe(v.string(), v.minLength(1)),
    }),
  ),
});
export type Testimonial = v.InferOutput<typeof Testimonial>;

/**
 * The operator's testimonials. Throws when one lacks its consent note or holds anything else that
 * may not be shown, so that no such page is ever built.
 */
export function readTestimonials(content: unknown): Testimonial[] {
  return v.parse(v.array(Testimonial), content);
}
