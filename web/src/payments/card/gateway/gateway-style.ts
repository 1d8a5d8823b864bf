import type { StripeElementStyle } from '@stripe/stripe-js';
import { useMemo, useSyncExternalStore } from 'react';

/** Without the product's own typeface: its file is for the product's own pages only. */
const FONTS = "'Inter Variable', Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/** How the gateway draws what is typed: as the product's own fields do, in the colors that hold at the moment. */
export function useGatewayStyle(): StripeElementStyle {
  const read = useSyncExternalStore(followLook, readLook);
  return useMemo(() => styleOf(read), [read]);
}

/** The root's attributes say which scheme its tokens are of. */
function followLook(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true });
  return () => observer.disconnect();
}

const TOKENS = ['--ov-text', '--ov-text-soft', '--ov-bad'] as const;

/** In one text, so that two that are the same are equal. */
function readLook(): string {
  const page = getComputedStyle(document.documentElement);
  const tokens = TOKENS.map((name) => page.getPropertyValue(name).trim());
  // As large as the page's own text, whatever size its reader has chosen.
  return [page.fontSize || '16px', ...tokens].join('|');
}

function styleOf(look: string): StripeElementStyle {
  const [fontSize = '', text = '', soft = '', bad = ''] = look.split('|');
  return {
    base: {
      color: text,
      iconColor: soft,
      fontFamily: FONTS,
      fontSize,
      fontSmoothing: 'antialiased',
      '::placeholder': { color: soft },
      ':-webkit-autofill': { color: text },
    },
    invalid: { color: bad, iconColor: bad },
  };
}
