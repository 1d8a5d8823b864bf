import styles from './features-section.module.css';

const FEATURES = [
  ['Spotted automatically', 'Post as usual. We take it from there.'],
  ['People who opted in', 'Each like comes from a different member of the network.'],
  ['Free video views', 'One free view per like.'],
  ['At your pace', 'Right away, or spread over 30 minutes to 4 hours.'],
  ['Any post you choose', 'Use credits for older posts, or a fifth post in a day.'],
  ['Many accounts', 'Each with its own plan, side by side on one dashboard.'],
] as const;

const RECEIPT = [
  ['Uploaded', '9:41:07'],
  ['Detected', '9:41:16'],
  ['Finished', '9:44:21'],
  ['Ordered', '250'],
  ['Bonus, free', '18'],
  ['Delivered', '268'],
  ['Organic likes', '412'],
] as const;

/** What one gets: the receipt first, because it is what nobody else shows. */
export function FeaturesSection() {
  return (
    <section id="features" className={styles['section']} aria-labelledby="features-title">
      <div className={styles['first']}>
        <h2 id="features-title">A receipt for every post</h2>
        <p>See what you bought, what arrived and when. Organic likes are counted apart.</p>
        <dl className={styles['list']}>
          {FEATURES.map(([what, how]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{how}</dd>
            </div>
          ))}
        </dl>
      </div>
      <figure className={styles['receipt']}>
        <figcaption>A sample receipt</figcaption>
        <dl>
          {RECEIPT.map(([what, value]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </figure>
    </section>
  );
}
