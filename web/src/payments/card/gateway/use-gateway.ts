import type { Stripe, StripeConstructor } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';
import type { CardEntry } from '#shared/contract/about.ts';
import { useServices } from '#web/platform/services.ts';

/**
 * The gateway's script and fields on their way:
 *
 *   loading -> ready                     every field has said that it can be typed into
 *      | after 8 s        | a field comes after all
 *      v                  v
 *     slow -> ready    blocked            the script can't be had; tried again when asked, or back online
 */
export interface Gateway {
  stripe: Stripe | null;
  status: 'loading' | 'slow' | 'blocked' | 'ready';
  /** All fields stand. */
  setReady: () => void;
  again: () => void;
}

/** After so long a person is told, and shown another way. */
const SLOW_MS = 8000;

export function useGateway(entry: CardEntry | undefined): Gateway {
  const { platform } = useServices();
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [status, setStatus] = useState<Gateway['status']>('loading');
  const isBlocked = status === 'blocked';

  useEffect(() => {
    if (entry?.way !== 'gateway' || isBlocked) return undefined;
    let isLeft = false;
    const load = async (): Promise<void> => {
      try {
        const make = await loadScript(entry.scriptUrl);
        // The product's pages speak English, so its card fields do.
        if (!isLeft) setStripe(make(entry.publishableKey, { locale: 'en' }));
      } catch (error) {
        platform.report('The card fields could not be loaded', error);
        if (!isLeft) setStatus('blocked');
      }
    };
    void load();
    return () => {
      isLeft = true;
    };
  }, [entry, platform, isBlocked]);

  useEffect(() => {
    if (status !== 'loading') return undefined;
    const timer = setTimeout(() => setStatus('slow'), SLOW_MS);
    return () => clearTimeout(timer);
  }, [status]);

  useEffect(() => {
    if (!isBlocked) return undefined;
    return platform.onConnectivityChange(() => {
      if (platform.isOnline()) setStatus('loading');
    });
  }, [platform, isBlocked]);
  return {
    stripe,
    status,
    setReady: () => setStatus('ready'),
    again: () => setStatus('loading'),
  };
}

const MARK = 'data-card-gateway';

/**
 * Loads the gateway's script from the address that the server names, once a page. Its own package would load
 * it from one fixed address only. Rejects where it is blocked or doesn't come; asked again, it tries again.
 */
async function loadScript(url: string): Promise<StripeConstructor> {
  if (!globalThis.window.Stripe) await arrival(url);
  const there = globalThis.window.Stripe;
  if (!there) {
    document.querySelector(`script[${MARK}]`)?.remove();
    throw new Error('The gateway’s script came without what it brings.');
  }
  return there;
}

async function arrival(url: string): Promise<void> {
  const known = document.querySelector<HTMLScriptElement>(`script[${MARK}]`);
  const script = known ?? document.createElement('script');
  const arrived = new Promise((resolve, reject) => {
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => {
      // One that failed never loads any more.
      script.remove();
      reject(new Error('The gateway’s script could not be loaded.'));
    });
  });
  if (!known) {
    script.src = url;
    script.async = true;
    script.setAttribute(MARK, '');
    document.head.append(script);
  }
  await arrived;
}
