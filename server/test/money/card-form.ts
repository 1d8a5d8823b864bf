/** The card and billing address of a checkout, of which the gateway charges whatever is asked. */
export const CARD_FORM = {
  ccName: 'Ada Example',
  ccNum: '4242 4242 4242 4242',
  ccMonth: '12',
  ccYear: '2030',
  cvv: '123',
  address: '1 Analytical Way',
  zip: '12345',
  city: 'Springfield',
  state: 'Ohio',
  country: 'US',
  phone: '5550100199',
};
