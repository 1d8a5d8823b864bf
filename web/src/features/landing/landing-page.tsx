import type { Api } from '#web/api/client.ts';
import { AnchorButton } from '#web/components/anchor-button.tsx';
import { ContactForm } from '#web/components/contact-form.tsx';
import { PromoBanner } from '#web/components/promo-banner.tsx';
import { PublicFooter } from '#web/components/public-footer.tsx';
import { PublicHeader } from '#web/components/public-header.tsx';
import { usePageTitle } from '#web/components/use-page-title.ts';
import type { Paths } from '#web/platform/services.ts';
import { FAQ } from './faq.ts';
import { FeaturesSection } from './features-section.tsx';
import { HallPicture } from './hall-picture.tsx';
import styles from './landing-page.module.css';
import { PricingSection } from './pricing-section.tsx';
import type { Testimonial } from './testimonials.ts';
import { TestimonialsSection } from './testimonials-section.tsx';

export const LANDING_TITLE = 'Applause for every post';

const STEPS = [
  {
    title: 'Upload a picture or video',
    text: 'Post as usual. We only need your username, never your password.',
  },
  {
    title: 'The new media is detected automatically',
    text: 'We check your account around the clock. Target: 30 seconds.',
  },
  {
    title: 'Watch your likes grow',
    text: 'Each like comes from a different member who opted in. Every post has a receipt: ordered, delivered, and when.',
  },
];

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
  return (
    <>
      <PromoBanner api={api} now={now} />
      <div className={styles['page']}>
        <PublicHeader paths={paths} />
        <main>
          <Hero signup={paths.signup} deliverySentence={deliverySentence} />
          <FeaturesSection />
          <Steps signup={paths.signup} />
          <PricingSection signup={paths.signup} />
          <TestimonialsSection
            testimonials={testimonials.entries}
            isSample={testimonials.isSample}
          />
          <Faq />
          <section id="contact" className={styles['contact']} aria-labelledby="contact-title">
            <div>
              <h2 id="contact-title">Ask us</h2>
              <p className={styles['lead']}>Write to us. We reply by email.</p>
            </div>
            <ContactForm api={api} newId={newId} />
          </section>
        </main>
        <PublicFooter paths={paths} />
      </div>
    </>
  );
}

function Hero({ signup, deliverySentence }: { signup: string; deliverySentence: string }) {
  return (
    <section id="hero" className={styles['hero']}>
      <div className={styles['claim']}>
        <h1>Applause for every post, from people who agreed to give it.</h1>
        <p>
          For creators and businesses who want more likes. Pick a number: every new post gets it,
          from people who opted in.
        </p>
        <p className={styles['action']}>
          <AnchorButton href={signup}>Get Started</AnchorButton>
          <span>Needs a public professional account. No password.</span>
        </p>
      </div>
      <div className={styles['picture']}>
        <HallPicture />
        <p className={styles['promise']} data-delivery-promise="">
          {deliverySentence}
        </p>
      </div>
    </section>
  );
}

function Steps({ signup }: { signup: string }) {
  return (
    <section id="services" className={styles['section']} aria-labelledby="services-title">
      <h2 id="services-title">How it works</h2>
      <ol className={styles['steps']}>
        {STEPS.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
            <a href={signup} aria-label={`Sign Up: ${title}`}>
              Sign Up
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Faq() {
  return (
    <section id="faq" className={styles['section']} aria-labelledby="faq-title">
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
