// What is typed into the fields: how it is written, and what is wrong with it, in the gateway's codes.

const BRANDS = [
  { brand: 'visa', begins: /^4/, lengths: [16], cvc: 3 },
  { brand: 'mastercard', begins: /^(5[1-5]|2[2-7])/, lengths: [16], cvc: 3 },
  { brand: 'amex', begins: /^3[47]/, lengths: [15], cvc: 4 },
  { brand: 'discover', begins: /^6(011|4[4-9]|5)/, lengths: [16], cvc: 3 },
  { brand: 'diners', begins: /^3(0|6|8)/, lengths: [14, 16], cvc: 3 },
  { brand: 'jcb', begins: /^35/, lengths: [16], cvc: 3 },
  { brand: 'unionpay', begins: /^62/, lengths: [16, 17, 18, 19], cvc: 3 },
];
const UNKNOWN = { brand: 'unknown', begins: /^/, lengths: [16], cvc: 3 };

export const digitsOf = (text) => text.replaceAll(/\D/g, '');

export const brandOf = (digits) =>
  (digits === '' ? undefined : BRANDS.find(({ begins }) => begins.test(digits))) ?? UNKNOWN;

export function formatNumber(text) {
  const digits = digitsOf(text);
  const { brand, lengths } = brandOf(digits);
  const most = digits.slice(0, Math.max(...lengths));
  if (brand === 'amex') return most.replace(/^(.{4})(.{1,6})?(.{1,5})?$/, joined);
  return most.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

const joined = (_text, ...groups) => groups.slice(0, 3).filter(Boolean).join(' ');

export function formatExpiry(text, isErasing) {
  let digits = digitsOf(text).slice(0, 4);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`.slice(0, 4);
  // A year in four digits, as browsers fill it in.
  const whole = /^(\d{1,2})\s*\/\s*20(\d\d)$/.exec(text.trim());
  if (whole) digits = `${whole[1].padStart(2, '0')}${whole[2]}`;
  if (digits.length < 2 || (digits.length === 2 && isErasing)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

const wrong = (code, message) => ({ type: 'validation_error', code, message });

/** What is wrong with a field's text; undefined for one that is complete. */
export const problemOf = {
  cardNumber(text) {
    const digits = digitsOf(text);
    const { lengths } = brandOf(digits);
    if (digits.length < Math.min(...lengths)) {
      return wrong('incomplete_number', 'Your card number is incomplete.');
    }
    return isLuhn(digits) ? undefined : wrong('invalid_number', 'Your card number is invalid.');
  },
  cardExpiry(text, now = new Date()) {
    const digits = digitsOf(text);
    if (digits.length < 4) {
      return wrong('incomplete_expiry', "Your card's expiration date is incomplete.");
    }
    const [month, year] = [Number(digits.slice(0, 2)), 2000 + Number(digits.slice(2))];
    if (month < 1 || month > 12) {
      return wrong('invalid_expiry_month', "Your card's expiration month is invalid.");
    }
    if (year < now.getFullYear()) {
      return wrong('invalid_expiry_year_past', "Your card's expiration year is in the past.");
    }
    if (year > now.getFullYear() + 50) {
      return wrong('invalid_expiry_year', "Your card's expiration year is invalid.");
    }
    return year === now.getFullYear() && month < now.getMonth() + 1
      ? wrong('invalid_expiry_month_past', "Your card's expiration date is in the past.")
      : undefined;
  },
  cardCvc(text, number = '') {
    const { brand, cvc } = brandOf(digitsOf(number));
    const { length } = digitsOf(text);
    return length === cvc || (brand === 'unknown' && length === 4)
      ? undefined
      : wrong('incomplete_cvc', "Your card's security code is incomplete.");
  },
};

function isLuhn(digits) {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
