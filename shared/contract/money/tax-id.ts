import * as v from 'valibot';
import { isTaxId, normalizeTaxId } from '../../domain/money/tax-id.ts';
import { defineCall } from '../call.ts';
import { uuid } from '../fields.ts';

const TAX_ID_RULE = 'Tax ID is invalid';

export const saveTaxId = defineCall({
  method: 'POST',
  path: '/user/billingDocument/taxId',
  encoding: 'json',
  session: 'required',
  summary: 'Saves the tax ID that later invoices show; an empty one removes it.',
  input: v.object({
    userId: uuid,
    taxId: v.pipe(
      v.string(TAX_ID_RULE),
      v.maxLength(40, TAX_ID_RULE),
      v.transform(normalizeTaxId),
      v.check((typed) => typed === '' || isTaxId(typed), TAX_ID_RULE),
    ),
  }),
  data: v.object({ taxId: v.nullable(v.string()) }),
  errors: ['not_yours', 'rate_limited'],
});
