import type { ReactNode } from 'react';
import { BarePage } from './bare-page.tsx';
import buttons from './link-button.module.css';

const ERROR_TITLE = 'Unexpected Application Error!';

/** What stands in place of a page that broke, that isn't on this device, or that doesn't exist. */
export function ErrorPage({
  what,
  home,
  canReload,
  children,
}: {
  /** What happened, in one sentence. */
  what: string;
  home: string;
  /** Whether loading the page again may help; it never does at an address without a page. */
  canReload: boolean;
  /** What is safe, and what to do. */
  children: ReactNode;
}) {
  return (
    <BarePage title={ERROR_TITLE} what={what} home={home}>
      <p>{children}</p>
      <p data-ways="">
        {canReload && (
          <button type="button" className={buttons['filled']} onClick={() => location.reload()}>
            Reload the page
          </button>
        )}
        <a href={home} className={buttons[canReload ? 'outline' : 'filled']}>
          Go to the home page
        </a>
      </p>
    </BarePage>
  );
}
