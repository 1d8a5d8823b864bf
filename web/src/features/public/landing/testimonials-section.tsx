import { useId } from 'react';
import section from './section.module.css';
import styles from './testimonials-section.module.css';
import { type Slide, Slides } from './slides.tsx';
import type { Testimonial } from './testimonials.ts';

/** What customers who agreed to it have said; nothing at all without any (D1). */
export function TestimonialsSection({
  testimonials,
  isSample = false,
}: {
  testimonials: readonly Testimonial[];
  /** Made up, to be seen in development only. */
  isSample?: boolean;
}) {
  if (testimonials.length === 0) return null;
  const slides: Slide[] = testimonials.map((testimonial) => ({
    label: `What ${testimonial.isHandleBlurred ? 'a customer' : testimonial.handle} says`,
    content: <Quote testimonial={testimonial} isSample={isSample} />,
  }));
  return (
    <section id="testimonials" className={section['section']} aria-labelledby="testimonials-title">
      <h2 id="testimonials-title">What customers say</h2>
      <Slides label="Testimonials" slides={slides} isLooped />
    </section>
  );
}

function Quote({ testimonial, isSample }: { testimonial: Testimonial; isSample: boolean }) {
  const nameId = useId();
  const { quote, handle, isHandleBlurred, avatar, followers, profileUrl, rating } = testimonial;
  return (
    <figure className={styles['card']}>
      {isSample && <p className={styles['sample']}>Sample</p>}
      {rating && (
        <p className={styles['stars']} title={rating.basis}>
          <span aria-hidden="true">{'★'.repeat(rating.stars)}</span>
          <span className="visually-hidden">{rating.stars} of 5 stars</span>
        </p>
      )}
      <blockquote>{quote}</blockquote>
      <figcaption>
        <a
          className="inline-flex items-center gap-3 min-h-touch c-text"
          href={profileUrl}
          target="_blank"
          rel="noopener noreferrer"
          aria-labelledby={nameId}
        >
          <img src={avatar} alt="" width="44" height="44" loading="lazy" />
          <span id={nameId}>
            <span className={isHandleBlurred ? styles['blurred'] : undefined}>@{handle}</span>
            <span className="block c-soft text-1">{followers}</span>
          </span>
        </a>
      </figcaption>
    </figure>
  );
}
