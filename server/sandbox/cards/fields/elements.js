// `stripe.elements()`: fields in frames of the gateway, and the page's side of them.

const CLASSES = {
  base: 'StripeElement',
  complete: 'StripeElement--complete',
  empty: 'StripeElement--empty',
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
};
const TITLES = {
  cardNumber: 'Secure card number input frame',
  cardExpiry: 'Secure expiration date input frame',
  cardCvc: 'Secure CVC input frame',
};

/** What a page does wrong, as the gateway's own script says it. */
export class IntegrationError extends Error {
  name = 'IntegrationError';
}

/** A frame of the gateway and the messages to and from it. Only its own window and origin are listened to. */
export function openFrame(type, group, onEvent) {
  const id = `__privateStripeFrame${window.crypto.randomUUID()}`;
  const node = document.createElement('iframe');
  const about = { type, group, frame: id, origin: window.location.origin };
  const replies = new Map();
  node.name = id;
  node.src = `${GATEWAY}/v3/field#${encodeURIComponent(JSON.stringify(about))}`;
  const ready = new Promise((resolve) => {
    const listen = (event) => {
      if (event.source !== node.contentWindow || event.origin !== GATEWAY_ORIGIN) return;
      const { data } = event;
      if (data?.frame !== id) return;
      if (data.event === 'ready') resolve();
      if (data.reply) {
        replies.get(data.reply)?.(data.answer);
        replies.delete(data.reply);
      } else onEvent(data);
    };
    window.addEventListener('message', listen);
    node.addEventListener('x-removed', () => window.removeEventListener('message', listen));
  });
  const post = (message) => node.contentWindow?.postMessage(message, GATEWAY_ORIGIN);
  return {
    node,
    ready,
    post,
    async ask(message) {
      await ready;
      const reply = window.crypto.randomUUID();
      return new Promise((resolve) => {
        replies.set(reply, resolve);
        post({ ...message, id: reply });
      });
    },
    remove() {
      node.dispatchEvent(new Event('x-removed'));
      node.remove();
    },
  };
}

export function createElements(options = {}) {
  const group = window.crypto.randomUUID();
  const elements = new Map();
  return {
    create(type, elementOptions = {}) {
      if (!TITLES[type]) throw new IntegrationError(`The sandbox draws no ${type} element.`);
      if (elements.has(type)) {
        throw new IntegrationError(`Can only create one Element of type ${type} on the page.`);
      }
      const forget = () => elements.delete(type);
      const element = createElement(type, { group, options: elementOptions, forget });
      elements.set(type, element);
      return element;
    },
    getElement: (type) => elements.get(type?.['__elementType'] ?? type) ?? null,
    update: (change) => void Object.assign(options, change),
    fetchUpdates: async () => ({}),
    submit: async () => ({}),
  };
}

/** How to ask a field's frame, for this script alone. */
export const asked = new WeakMap();

function createElement(type, { group, options, forget }) {
  const listeners = openListeners();
  let frame;
  let place;
  const mark = (name, isOn) => {
    const className = options.classes?.[name] ?? CLASSES[name];
    for (const each of className.split(' ')) place?.classList.toggle(each, isOn);
  };
  const onEvent = ({ event, change, height }) => {
    if (height) frame.node.style.height = `${height}px`;
    if (event === 'focus' || event === 'blur') mark('focus', event === 'focus');
    if (event === 'enter') place?.closest('form')?.requestSubmit();
    if (event === 'change') {
      mark('empty', change.empty);
      mark('complete', change.complete);
      mark('invalid', change.error !== undefined);
    }
    if (event === 'ready') frame.post({ command: 'update', options: sent(options) });
    listeners.emit(event, change ?? { elementType: type });
  };
  const unmount = () => {
    frame?.remove();
    for (const name of Object.keys(CLASSES)) mark(name, false);
    frame = undefined;
    place = undefined;
  };
  const mount = (target) => {
    unmount();
    place = typeof target === 'string' ? document.querySelector(target) : target;
    if (!place) throw new IntegrationError(`The selector ${target} applies to no DOM elements.`);
    frame = openFrame(type, group, onEvent);
    dress(frame.node, TITLES[type]);
    mark('base', true);
    place.replaceChildren(frame.node);
  };
  const element = listeners.addTo({
    mount,
    update(change) {
      Object.assign(options, change);
      frame?.post({ command: 'update', options: sent(change) });
    },
    focus() {
      frame?.node.focus();
      frame?.post({ command: 'focus' });
    },
    blur: () => void frame?.post({ command: 'blur' }),
    clear: () => void frame?.post({ command: 'clear' }),
    unmount,
    destroy() {
      unmount();
      forget();
    },
  });
  asked.set(element, { type, ask: (message) => frame?.ask(message) });
  return element;
}

const EVENTS = ['ready', 'change', 'focus', 'blur', 'escape'];

function openListeners() {
  const listeners = new Map();
  return {
    emit(event, detail) {
      if (!EVENTS.includes(event)) return;
      for (const listener of listeners.get(event) ?? []) listener(detail);
    },
    /** `on`, `once` and `off`, which may be chained. */
    addTo(element) {
      const on = (event, listener) => {
        listeners.set(event, [...(listeners.get(event) ?? []), listener]);
        return element;
      };
      const off = (event, listener) => {
        const rest = (listeners.get(event) ?? []).filter((each) => listener && each !== listener);
        listeners.set(event, rest);
        return element;
      };
      const once = (event, listener) => {
        const single = (detail) => {
          off(event, single);
          listener(detail);
        };
        return on(event, single);
      };
      return Object.assign(element, { on, once, off });
    },
  };
}

/** What a frame needs to know. */
const sent = ({ style, placeholder, disabled }) => ({ style, placeholder, disabled });

function dress(node, title) {
  node.title = title;
  Object.assign(node.style, {
    display: 'block',
    width: '100%',
    height: '19px',
    border: '0',
    // As the frame's own page has it: otherwise browsers put a white sheet behind it in the dark.
    colorScheme: 'light only',
  });
}
