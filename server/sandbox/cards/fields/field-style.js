// The look the page asks for, as far as the gateway lets it.

const PROPERTIES = {
  backgroundColor: 'background-color',
  color: 'color',
  fontFamily: 'font-family',
  fontSize: 'font-size',
  fontSmoothing: '-webkit-font-smoothing',
  fontStyle: 'font-style',
  fontVariant: 'font-variant',
  fontWeight: 'font-weight',
  lineHeight: 'line-height',
  letterSpacing: 'letter-spacing',
  textAlign: 'text-align',
  padding: 'padding',
  textDecoration: 'text-decoration',
  textShadow: 'text-shadow',
  textTransform: 'text-transform',
};
const STATES = { base: '', empty: '.is-empty', complete: '.is-complete', invalid: '.is-invalid' };
const PSEUDO = [':hover', ':focus', '::placeholder', '::selection', ':disabled'];

/** Of `{base, complete, empty, invalid}`, each with pseudo classes inside. */
export function styleSheetOf(style) {
  const sheet = new CSSStyleSheet();
  for (const [state, suffix] of Object.entries(STATES)) {
    const variant = style[state];
    if (!variant) continue;
    addRule(sheet, `.field${suffix}`, variant);
    for (const pseudo of PSEUDO) {
      if (variant[pseudo]) addRule(sheet, `.field${suffix}${pseudo}`, variant[pseudo]);
    }
  }
  return sheet;
}

function addRule(sheet, selector, properties) {
  const rule = sheet.cssRules[sheet.insertRule(`${selector} {}`, sheet.cssRules.length)];
  for (const [name, value] of Object.entries(properties)) {
    if (PROPERTIES[name]) rule.style.setProperty(PROPERTIES[name], String(value));
  }
}
