import phoneDark from './pictures/dashboard-phone-dark.webp';
import phoneLight from './pictures/dashboard-phone-light.webp';
import dark from './pictures/dashboard-dark.webp';
import light from './pictures/dashboard-light.webp';
import section from './section.module.css';
import styles from './features-section.module.css';

const FEATURES = [
  ['Spotted automatically', 'Post as usual. We take it from there.'],
  ['People who opted in', 'Each like comes from a different member of the network.'],
  ['Free video views', 'One free view per like.'],
  ['At your pace', 'Right away, or spread over 30 minutes to 4 hours.'],
  ['Any post you choose', 'Use credits for older posts, or a fifth post in a day.'],
  ['Several accounts', 'Each with its own plan, side by side on one dashboard.'],
] as const;

const SHOWN =
  'The dashboard: an account’s posts with their likes, and one post’s receipt beside them.';

/** What one gets: the product itself, the receipt first, because it is what nobody else shows. */
export function FeaturesSection() {
  return (
    <section
      id="features"
      className={section['section']}
      data-wide=""
      aria-labelledby="features-title"
    >
      <div className={styles['first']}>
        <h2 id="features-title">A receipt for every post</h2>
        <p>See what you bought, what arrived and when. Organic likes are counted apart.</p>
      </div>
      <figure className={styles['shown']}>
        <Dashboard scheme="light" wide={light} phone={phoneLight} />
        <Dashboard scheme="dark" wide={dark} phone={phoneDark} />
        <figcaption className="c-soft text-1">The real dashboard, with demo data.</figcaption>
      </figure>
      <dl className={styles['list']}>
        {FEATURES.map(([what, how]) => (
          <div key={what}>
            <dt className="font-600">{what}</dt>
            <dd>{how}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** One scheme's picture; a browser doesn't ask for the one that isn't displayed. */
function Dashboard({ scheme, wide, phone }: { scheme: string; wide: string; phone: string }) {
  return (
    <picture data-scheme={scheme}>
      <source media="(max-width: 43.99rem)" srcSet={phone} width={780} height={1440} />
      <img src={wide} alt={SHOWN} width={1600} height={1000} loading="lazy" decoding="async" />
    </picture>
  );
}
