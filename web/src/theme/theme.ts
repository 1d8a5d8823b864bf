import {
  Button,
  Checkbox,
  createTheme,
  type CSSVariablesResolver,
  Drawer,
  Menu,
  type MantineColorsTuple,
  Modal,
  NativeSelect,
  Notification,
  PasswordInput,
  TextInput,
} from '@mantine/core';
import styles from './controls.module.css';

const curtain: MantineColorsTuple = [
  '#fbeeee',
  '#f3d5d6',
  '#e6a9ad',
  '#d87b83',
  '#c95560',
  '#b03c4a',
  '#952d3a',
  '#7a1f2b',
  '#651823',
  '#4d101a',
];

const field = {
  size: 'md' as const,
  classNames: {
    label: styles['label'] ?? '',
    input: styles['input'] ?? '',
    error: styles['error'] ?? '',
    description: styles['description'] ?? '',
  },
};

/** Mantine in the product's own clothes; the colours themselves are the tokens of `tokens.css`. */
export const theme = createTheme({
  primaryColor: 'curtain',
  primaryShade: { light: 7, dark: 5 },
  colors: { curtain },
  white: '#fffdfa',
  black: '#1b1714',
  fontFamily: 'var(--ov-font-text)',
  headings: { fontFamily: 'var(--ov-font-display)', fontWeight: '600' },
  defaultRadius: 'sm',
  radius: { xs: '2px', sm: '4px', md: '8px', lg: '8px', xl: '8px' },
  fontSizes: {
    xs: 'var(--ov-size-1)',
    sm: 'var(--ov-size-1)',
    md: 'var(--ov-size-2)',
    lg: 'var(--ov-size-3)',
    xl: 'var(--ov-size-4)',
  },
  respectReducedMotion: true,
  components: {
    TextInput: TextInput.extend({ defaultProps: field }),
    PasswordInput: PasswordInput.extend({
      defaultProps: {
        ...field,
        classNames: { ...field.classNames, innerInput: styles['innerInput'] ?? '' },
      },
    }),
    NativeSelect: NativeSelect.extend({ defaultProps: field }),
    Checkbox: Checkbox.extend({
      defaultProps: {
        classNames: { label: styles['checkboxLabel'] ?? '', input: styles['checkbox'] ?? '' },
      },
    }),
    Button: Button.extend({
      defaultProps: {
        size: 'md',
        classNames: { root: styles['button'] ?? '', label: styles['buttonLabel'] ?? '' },
      },
    }),
    Menu: Menu.extend({
      defaultProps: {
        shadow: 'none',
        // Inside the landmark it belongs to, and without a focusable stranger among its items.
        withinPortal: false,
        withInitialFocusPlaceholder: false,
        classNames: {
          dropdown: styles['menu'] ?? '',
          item: styles['menuItem'] ?? '',
          label: styles['menuLabel'] ?? '',
        },
      },
    }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        radius: 'md',
        classNames: {
          content: styles['dialog'] ?? '',
          header: styles['dialogHeader'] ?? '',
          title: styles['dialogTitle'] ?? '',
        },
      },
    }),
    Drawer: Drawer.extend({
      defaultProps: {
        classNames: {
          content: styles['dialog'] ?? '',
          header: styles['dialogHeader'] ?? '',
          title: styles['dialogTitle'] ?? '',
        },
      },
    }),
    Notification: Notification.extend({
      defaultProps: {
        classNames: { root: styles['toast'] ?? '', description: styles['toastText'] ?? '' },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    }),
  },
});

const shared = {
  '--mantine-color-body': 'var(--ov-ground)',
  '--mantine-color-text': 'var(--ov-text)',
  '--mantine-color-dimmed': 'var(--ov-text-soft)',
  '--mantine-color-placeholder': 'var(--ov-text-soft)',
  '--mantine-color-error': 'var(--ov-bad)',
  '--mantine-color-anchor': 'var(--ov-link)',
  '--mantine-color-default-border': 'var(--ov-line)',
  '--mantine-primary-color-filled': 'var(--ov-curtain)',
  '--mantine-primary-color-filled-hover': 'var(--ov-curtain-hover)',
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: shared,
  dark: shared,
});
