/** The one place the product's name is written; an operator may rename the product here. */
export const PRODUCT_NAME = 'Ovation';
