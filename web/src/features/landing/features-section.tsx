import styles from './features-section.module.css';

const FEATURES = [
  ['Detected by itself', 'You post as you always do. There is nothing to press here.'],
  ['People who agreed', 'Each like comes from a different member of the network who opted in.'],
  ['Views on videos', 'As many views as likes, at no charge.'],
  ['At your pace', 'At once, or spread over 30 minutes to 4 hours.'],
  ['Any post by hand', 'Credits send likes to older posts and to the fifth of a day.'],
  ['Many accounts', 'Each with a plan of its own, side by side on one dashboard.'],
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
        <p>
          What you ordered, what arrived, when, and what was organic, always apart. To keep, to
          print and to export.
        </p>
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
        <figcaption>Example of a receipt</figcaption>
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
