// Stands in place of the gateway's script: `window.Stripe(key)`, as far as the product uses it.
import { asked, createElements, IntegrationError, openFrame } from './elements.js';

const never = () => new Promise(() => undefined);

function createStripe(key) {
  if (!/^pk_test_\w+$/.test(key)) {
    throw new IntegrationError('The sandbox takes publishable test keys only: pk_test_...');
  }
  const api = openApi(key);
  return {
    elements: createElements,
    createPaymentMethod: (data) => createPaymentMethod(key, data),
    createConfirmationToken: (data) => refuseFields('createConfirmationToken', data),
    createToken: (data) => refuseFields('createToken', data),
    retrievePaymentIntent: async (secret) => shown(await api.read(secret)),
    retrieveSetupIntent: async (secret) => shown(await api.read(secret)),
    handleNextAction: async ({ clientSecret }) =>
      follow(api, clientSecret, await api.read(clientSecret)),
    handleCardAction: async (secret) => follow(api, secret, await api.read(secret)),
    confirmCardPayment: (secret, data, options) => confirmCard(api, secret, { key, data, options }),
    confirmCardSetup: (secret, data, options) => confirmCard(api, secret, { key, data, options }),
    confirmPayment: (options) => confirmAndReturn(api, options),
    confirmSetup: (options) => confirmAndReturn(api, options),
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  };
}

/** The gateway's calls, through a hidden frame of its own: the page needs no way to it. */
function openApi(key) {
  let frame;
  const request = (method, path, fields) => {
    if (!frame) {
      frame = openFrame('controller', '', () => undefined);
      frame.node.hidden = true;
      frame.node.title = 'Secure payment frame';
      frame.node.tabIndex = -1;
      document.body.append(frame.node);
    }
    return frame.ask({ command: 'request', key, method, path, fields });
  };
  const pathOf = (secret) => {
    const [id] = String(secret).split('_secret_');
    if (/^pi_\w+$/.test(id)) return `payment_intents/${id}`;
    if (/^seti_\w+$/.test(id)) return `setup_intents/${id}`;
    throw new IntegrationError('Expected a client secret such as pi_..._secret_...');
  };
  return {
    read: (secret) => request('GET', pathOf(secret), { client_secret: secret }),
    confirm: (secret, fields) =>
      request('POST', `${pathOf(secret)}/confirm`, { ...fields, client_secret: secret }),
  };
}

/** As promises of the gateway's script end: with the object under its name, or an error. */
function shown({ object, error }) {
  if (error) return { error };
  return object.object === 'setup_intent' ? { setupIntent: object } : { paymentIntent: object };
}

async function createPaymentMethod(key, data) {
  if (data.elements) return refuseFields('createPaymentMethod', data);
  const number = asked.get(data.card);
  if (data.type !== 'card' || number?.type !== 'cardNumber') {
    throw new IntegrationError(
      'createPaymentMethod expects {type: "card", card: cardNumberElement}.',
    );
  }
  const message = { command: 'createPaymentMethod', key, billing: data.billing_details };
  const answer = await number.ask(message);
  if (!answer) throw new IntegrationError('The cardNumber Element is not mounted.');
  const { object, error } = answer;
  return error ? { error } : { paymentMethod: object };
}

/** Separate card fields can't do these with the real gateway either. */
function refuseFields(name) {
  throw new IntegrationError(
    `Invalid value for stripe.${name}(): elements should have a mounted Payment Element or Express Checkout Element.`,
  );
}

async function confirmCard(api, secret, { key, data = {}, options = {} }) {
  const { payment_method: given, ...fields } = data;
  let method = given;
  if (given?.card) {
    const made = await createPaymentMethod(key, { type: 'card', ...given });
    if (made.error) return made;
    method = made.paymentMethod.id;
  }
  const confirmed = { ...fields, payment_method: method, use_stripe_sdk: true };
  const answer = await api.confirm(secret, confirmed);
  return options.handleActions === false ? shown(answer) : follow(api, secret, answer, true);
}

async function confirmAndReturn(api, { clientSecret, confirmParams = {}, redirect }) {
  const answer = await api.confirm(clientSecret, confirmParams);
  if (answer.error || redirect === 'if_required') return follow(api, clientSecret, answer, true);
  if (answer.object.status === 'requires_action') return follow(api, clientSecret, answer);
  window.location.assign(confirmParams.return_url);
  return never();
}

/** Takes the cardholder to the bank: away from the page, or in a frame over it. */
async function follow(api, secret, answer, isQuiet = false) {
  const { object } = answer;
  if (object?.status !== 'requires_action') {
    if (isQuiet || answer.error) return shown(answer);
    const message = 'handleNextAction: The intent supplied is not in the requires_action state.';
    return { error: { type: 'invalid_request_error', message } };
  }
  const { next_action: action } = object;
  if (action.redirect_to_url) {
    window.location.assign(action.redirect_to_url.url);
    return never();
  }
  await showBank(action.use_stripe_sdk.stripe_js);
  const after = await api.read(secret);
  const error = after.object?.last_payment_error ?? after.object?.last_setup_error;
  return error ? { error } : shown(after);
}

/** Ends once the bank has its answer. */
function showBank(url) {
  const sheet = document.createElement('dialog');
  const bank = document.createElement('iframe');
  bank.src = url;
  bank.title = 'Your bank';
  Object.assign(bank.style, { width: '100%', height: '100%', border: '0' });
  Object.assign(sheet.style, { width: '440px', height: '520px', padding: '0', border: '0' });
  sheet.append(bank);
  document.body.append(sheet);
  sheet.addEventListener('cancel', (event) => event.preventDefault());
  sheet.showModal();
  return new Promise((resolve) => {
    window.addEventListener('message', function listen(event) {
      if (event.source !== bank.contentWindow || event.data?.bank !== 'done') return;
      window.removeEventListener('message', listen);
      sheet.remove();
      resolve();
    });
  });
}

window.Stripe = Object.assign(createStripe, { version: 'endive' });
