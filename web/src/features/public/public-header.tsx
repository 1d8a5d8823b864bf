import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { Paths } from '#web/platform/services.ts';
import { AnchorButton } from '#web/ui/page/anchor-button.tsx';
import { CloseIcon, MenuIcon } from '#web/ui/icons.tsx';
import { Mark } from '#web/ui/brand/mark.tsx';
import styles from './public-header.module.css';
import wordmark from '#web/ui/brand/wordmark.module.css';

const MENU_ID = 'sections-menu';
const SECTIONS = [
  ['Home', 'hero'],
  ['Features', 'features'],
  ['Pricing', 'pricing'],
  ['FAQs', 'faq'],
] as const;

/** The head of the public pages. `home` is empty on the landing page itself, whose sections it names. */
export function PublicHeader({ paths, home = '' }: { paths: Paths; home?: string }) {
  return (
    <header className={styles['header']}>
      <a href={paths.landing} className={wordmark['wordmark']}>
        <Mark />
        {PRODUCT_NAME}
      </a>
      <button
        type="button"
        className={styles['open']}
        popoverTarget={MENU_ID}
        aria-label="Open the menu"
      >
        <MenuIcon />
      </button>
      <div id={MENU_ID} popover="auto" className={styles['menu']}>
        <button
          type="button"
          className={styles['close']}
          popoverTarget={MENU_ID}
          popoverTargetAction="hide"
          aria-label="Close the menu"
        >
          <CloseIcon />
        </button>
        <nav aria-label="Sections" className={styles['sections']}>
          {SECTIONS.map(([label, id]) => (
            <a key={id} href={`${home}#${id}`} onClick={closeMenu}>
              {label}
            </a>
          ))}
          <a href={paths.login} className={styles['logIn']}>
            Log In
          </a>
        </nav>
      </div>
      <AnchorButton href={paths.signup}>Sign Up</AnchorButton>
    </header>
  );
}

/** A section of this very page is gone to: the menu in front of it has to go. */
function closeMenu(): void {
  const menu = document.getElementById(MENU_ID);
  if (menu?.matches(':popover-open')) menu.hidePopover();
}
