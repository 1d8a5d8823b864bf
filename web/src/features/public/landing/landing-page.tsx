import { useState } from 'react';
import type { Api } from '#web/api/client.ts';
import { ContactForm } from '#web/customer/contact-form.tsx';
import { FAQ } from '#web/ui/words/faq.ts';
import { PromoBanner } from '#web/payments/promo/promo-banner.tsx';
import { PublicFooter } from '../public-footer.tsx';
import { PublicHeader } from '../public-header.tsx';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import type { Paths } from '#web/platform/services.ts';
import { FeaturesSection } from './features-section.tsx';
import { HeroSection } from './hero-section.tsx';
import section from './section.module.css';
import styles from './landing-page.module.css';
import { PricingSection } from './pricing-section.tsx';
import { StepsSection } from './steps-section.tsx';
import type { Testimonial } from './testimonials.ts';
import { TestimonialsSection } from './testimonials-section.tsx';

export const LANDING_TITLE = 'Applause for every post';

/** What visitors see first: what it does, how, and what it costs (S§2). */
export function LandingPage({
  paths,
  api,
  now,
  newId,
  deliverySentence,
  testimonials,
}: {
  paths: Paths;
  api: Api;
  now: () => number;
  newId: () => string;
  /** Measured delivery times, or the target (D7). */
  deliverySentence: string;
  testimonials: { entries: readonly Testimonial[]; isSample: boolean };
}) {
  usePageTitle(LANDING_TITLE);
  const [igUsername, setIgUsername] = useState('');
  return (
    <>
      <PromoBanner api={api} now={now} />
      <div className={styles['page']}>
        <PublicHeader paths={paths} />
        <main>
          <HeroSection
            signup={paths.signup}
            igUsername={igUsername}
            onType={setIgUsername}
            deliverySentence={deliverySentence}
          />
          <FeaturesSection />
          <StepsSection signup={paths.signup} />
          <PricingSection signup={paths.signup} igUsername={igUsername} />
          <TestimonialsSection
            testimonials={testimonials.entries}
            isSample={testimonials.isSample}
          />
          <Faq />
          <details className={styles['contact']}>
            <summary>
              <h2 id="contact-title">Ask us</h2>
            </summary>
            <section id="contact" aria-labelledby="contact-title">
              <p className={styles['lead']}>Write to us. We reply by email.</p>
              <ContactForm api={api} newId={newId} />
            </section>
          </details>
        </main>
        <PublicFooter paths={paths} />
      </div>
    </>
  );
}

function Faq() {
  return (
    <section id="faq" className={section['section']} aria-labelledby="faq-title">
      <h2 id="faq-title">Questions and answers</h2>
      <div className={styles['faq']}>
        {FAQ.map(([question, answer]) => (
          <details key={question}>
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
