import { BarePage } from '#web/ui/page/bare-page.tsx';
import buttons from '#web/ui/page/link-button.module.css';

/** The device is empty, and whether the session ended nobody said. */
export function LogOutUnanswered({ home, tryAgain }: { home: string; tryAgain: () => void }) {
  return (
    <BarePage
      title="Log out"
      what="We couldn’t reach the server, so you may still be logged in."
      home={home}
    >
      <p>Your data is gone from this device.</p>
      <p data-ways="">
        <button type="button" className={buttons['filled']} onClick={tryAgain}>
          Try again
        </button>
      </p>
    </BarePage>
  );
}
