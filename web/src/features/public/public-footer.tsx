import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { Paths } from '#web/platform/services.ts';
import styles from './public-footer.module.css';

/** The foot of the public pages, with the disclaimer (S§1). */
export function PublicFooter({ paths, home = '' }: { paths: Paths; home?: string }) {
  const links = [
    ['Features', `${home}#features`],
    ['Pricing', `${home}#pricing`],
    ['FAQs', `${home}#faq`],
    ['Contact', `${home}#contact`],
    ['Terms of service', paths.terms],
    ['Privacy policy', paths.privacy],
    ['Log In', paths.login],
    ['Sign Up', paths.signup],
  ] as const;
  return (
    <footer className={styles['footer']}>
      <nav aria-label="Footer">
        <ul>
          {links.map(([label, href]) => (
            <li key={label}>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ul>
      </nav>
      <p>
        {PRODUCT_NAME} is not endorsed by, or connected with, Instagram or any other social network.
      </p>
    </footer>
  );
}
