// One card field in a frame of the gateway's own. What is typed stays between these frames and the
// gateway: the page around them is told that a field is complete, and the id of what it made.
import { brandOf, digitsOf, formatExpiry, formatNumber, problemOf } from './card-text.js';
import { styleSheetOf } from './field-style.js';

const FIELDS = {
  cardNumber: {
    label: 'Credit or debit card number',
    name: 'cardnumber',
    autocomplete: 'cc-number',
    placeholder: '1234 1234 1234 1234',
    format: formatNumber,
  },
  cardExpiry: {
    label: 'Credit or debit card expiration date',
    name: 'exp-date',
    autocomplete: 'cc-exp',
    placeholder: 'MM / YY',
    format: formatExpiry,
  },
  cardCvc: {
    label: 'Credit or debit card CVC/CVV',
    name: 'cvc',
    autocomplete: 'cc-csc',
    placeholder: 'CVC',
    format: (text) => digitsOf(text).slice(0, 4),
  },
};

/** From the address: whose page this is, and which frames belong together. */
const { type, origin, group, frame } = JSON.parse(
  decodeURIComponent(window.location.hash.slice(1)),
);
const input = document.querySelector('input');
const field = FIELDS[type];
const state = { isTouched: false, last: '' };

const tell = (message) =>
  window.parent.postMessage({ source: 'card-gateway', frame, ...message }, origin);

/** The other fields of the same card: frames of this origin beside this one. */
function findField(wanted) {
  for (let index = 0; index < window.parent.length; index += 1) {
    try {
      const { cardField } = window.parent[index];
      if (cardField?.group === group && cardField.type === wanted) return cardField;
    } catch {
      // Somebody else's frame.
    }
  }
  return undefined;
}

const valueOf = (wanted) => findField(wanted)?.read() ?? '';

function problem() {
  if (type === 'cardCvc') return problemOf.cardCvc(input.value, valueOf('cardNumber'));
  return problemOf[type](input.value);
}

/** A field that isn't full is only wrong once it was left, or is asked for. */
function report() {
  const found = problem();
  const isEmpty = input.value === '';
  const isShown = found && (state.isTouched || !found.code.startsWith('incomplete_'));
  const error = isShown && !(isEmpty && !state.isAsked) ? found : undefined;
  input.className = [
    'field',
    isEmpty ? 'is-empty' : '',
    found ? '' : 'is-complete',
    error ? 'is-invalid' : '',
  ].join(' ');
  input.setAttribute('aria-invalid', String(error !== undefined));
  const brand = type === 'cardNumber' && { brand: brandOf(digitsOf(input.value)).brand };
  const change = { elementType: type, empty: isEmpty, complete: !found, error, ...brand };
  const text = JSON.stringify(change);
  // As it begins is no change.
  if (state.last !== '' && text !== state.last) tell({ event: 'change', change });
  state.last = text;
  return found;
}

const heightOf = () => Math.ceil(input.getBoundingClientRect().height);

function rewrite(event) {
  const isErasing = event?.inputType?.startsWith('delete') ?? false;
  const before = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length)).length;
  const text = field.format(input.value, isErasing);
  if (text !== input.value) {
    input.value = text;
    let place =
      isErasing || before < digitsOf(text).length ? placeAfter(text, before) : text.length;
    if (before === 0) place = 0;
    if (document.activeElement === input) input.setSelectionRange(place, place);
  }
  state.isTouched = false;
  report();
}

/** Where so many digits end. */
function placeAfter(text, digits) {
  let seen = 0;
  for (let place = 0; place < text.length; place += 1) {
    if (seen === digits) return place;
    if (/\d/.test(text[place])) seen += 1;
  }
  return text.length;
}

function openField() {
  input.placeholder = field.placeholder;
  input.name = field.name;
  input.setAttribute('aria-label', field.label);
  input.autocomplete = field.autocomplete;
  input.inputMode = 'numeric';
  input.hidden = false;
  input.addEventListener('input', rewrite);
  input.addEventListener('focus', () => tell({ event: 'focus' }));
  input.addEventListener('blur', () => {
    state.isTouched = true;
    report();
    tell({ event: 'blur' });
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') tell({ event: 'escape' });
    if (key === 'Enter') tell({ event: 'enter' });
  });
  window.cardField = {
    group,
    type,
    read: () => input.value,
    /** Shows what is missing, too. */
    check() {
      state.isTouched = true;
      state.isAsked = true;
      return report();
    },
  };
  report();
}

const COMMANDS = {
  update({ options }) {
    const { style, placeholder, disabled } = options;
    if (style) document.adoptedStyleSheets = [styleSheetOf(style)];
    if (placeholder !== undefined) input.placeholder = placeholder;
    if (disabled !== undefined) input.disabled = disabled;
    tell({ event: 'size', height: heightOf() });
  },
  focus: () => input.focus(),
  blur: () => input.blur(),
  clear() {
    input.value = '';
    state.isTouched = false;
    report();
  },
  async createPaymentMethod({ id, key, billing }) {
    const error = ['cardNumber', 'cardExpiry', 'cardCvc']
      .map((wanted) => findField(wanted)?.check())
      .find((found) => found !== undefined);
    if (error) tell({ reply: id, answer: { error } });
    else {
      const [month, year] = valueOf('cardExpiry').split('/');
      const card = {
        number: digitsOf(input.value),
        exp_month: month.trim(),
        exp_year: year.trim(),
      };
      const fields = {
        type: 'card',
        card: { ...card, cvc: valueOf('cardCvc') },
        billing_details: billing,
      };
      tell({ reply: id, answer: await call(key, 'POST', 'payment_methods', fields) });
    }
  },
  /** For the page's script, which has no way to the gateway of its own. */
  async request({ id, key, method, path, fields }) {
    tell({ reply: id, answer: await call(key, method, path, fields) });
  },
};

window.addEventListener('message', (event) => {
  if (event.source !== window.parent || event.origin !== origin) return;
  void COMMANDS[event.data?.command]?.(event.data);
});

/** One call of the gateway's API: its object, or what it refused. */
async function call(key, method, path, fields) {
  const body = new URLSearchParams(flatten(fields));
  const address = new URL(`../v1/${path}`, window.location.href);
  if (method === 'GET') address.search = body.toString();
  try {
    const answer = await window.fetch(address, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(method === 'POST' && { body }),
    });
    const read = await answer.json();
    return read.error ? { error: read.error } : { object: read };
  } catch {
    const message = 'We are experiencing issues connecting to our payments provider.';
    return { error: { type: 'api_connection_error', message } };
  }
}

function flatten(fields, prefix = '') {
  return Object.entries(fields ?? {}).flatMap(([name, value]) => {
    const key = prefix === '' ? name : `${prefix}[${name}]`;
    if (value === undefined || value === null) return [];
    return typeof value === 'object' ? flatten(value, key) : [[key, String(value)]];
  });
}

if (field) openField();
tell({ event: 'ready', height: heightOf() });
