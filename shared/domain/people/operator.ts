import { PRODUCT_NAME } from '../product.ts';

/** Who runs the product, as its legal pages, receipts and emails name them. */
export interface OperatorIdentity {
  name: string;
  /** On one line. */
  address: string | undefined;
  taxId: string | undefined;
}

/** What stands where nobody has been named, as on a laptop. */
export const UNNAMED_OPERATOR = `This copy of ${PRODUCT_NAME} is for trying it out.`;

/** "Ovation is run by Acme Inc., 1 Main Street, Springfield. Tax ID 12-3456789." */
export function operatorSentence(operator: OperatorIdentity | undefined): string {
  if (!operator) return UNNAMED_OPERATOR;
  const who = [operator.name, operator.address].filter(Boolean).join(', ');
  const taxId = operator.taxId === undefined ? '' : ` Tax ID ${operator.taxId}.`;
  return `${PRODUCT_NAME} is run by ${who.replace(/\.$/, '')}.${taxId}`;
}
