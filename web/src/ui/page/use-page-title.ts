import { useEffect } from 'react';
import { PRODUCT_NAME } from '#shared/domain/product.ts';

/** Names the page in the window's title. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME;
  }, [title]);
}
