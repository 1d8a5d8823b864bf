import { PRODUCT_NAME } from '#shared/domain/product.ts';

/** How it is done where only the share menu can, on iPhones and iPads. */
export const INSTALL_BY_HAND = `To add ${PRODUCT_NAME} to your home screen, tap Share, then “Add to Home Screen”.`;
