import {
  type ButtonProps,
  type CheckboxProps,
  createTheme,
  type CSSVariablesResolver,
  type DrawerRootProps,
  type FileInputProps,
  type MantineColorsTuple,
  type ModalRootProps,
  type NativeSelectProps,
  type NotificationProps,
  type OverlayProps,
  type PasswordInputProps,
  type TextareaProps,
  type TextInputProps,
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

const input = {
  size: 'md' as const,
  classNames: {
    label: styles['label'] ?? '',
    input: styles['input'] ?? '',
    error: styles['error'] ?? '',
    description: styles['description'] ?? '',
  },
};
/**
 * What is typed decides which way it is written. The library gives a plain `dir` to what is around the
 * input. One line holds a name, a number or an address: nothing that has a spelling.
 */
const field = { ...input, spellCheck: false, attributes: { input: { dir: 'auto' } } };

const dialog = {
  inner: styles['dialogInner'] ?? '',
  content: styles['dialog'] ?? '',
  title: styles['dialogTitle'] ?? '',
  close: styles['dialogClose'] ?? '',
};

/**
 * What a component has unless it is told otherwise. Only its types are named here: naming the
 * components themselves (`Modal.extend`) would load all of them on every page.
 */
const defaults = <Props>(defaultProps: Partial<Props>): { defaultProps: Partial<Props> } => ({
  defaultProps,
});

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
    TextInput: defaults<TextInputProps>(field),
    PasswordInput: defaults<PasswordInputProps>({
      ...input,
      spellCheck: false,
      dir: 'auto',
      classNames: { ...input.classNames, innerInput: styles['innerInput'] ?? '' },
    }),
    FileInput: defaults<FileInputProps>(field),
    Textarea: defaults<TextareaProps>(field),
    NativeSelect: defaults<NativeSelectProps>({
      ...input,
      classNames: { ...input.classNames, section: styles['selectIcon'] ?? '' },
    }),
    Checkbox: defaults<CheckboxProps>({
      classNames: {
        label: styles['checkboxLabel'] ?? '',
        input: styles['checkbox'] ?? '',
        description: styles['checkboxDescription'] ?? '',
      },
    }),
    Button: defaults<ButtonProps>({
      size: 'md',
      classNames: { root: styles['button'] ?? '', label: styles['buttonLabel'] ?? '' },
    }),
    Overlay: defaults<OverlayProps>({ classNames: { root: styles['scrim'] ?? '' } }),
    ModalRoot: defaults<ModalRootProps>({ radius: 'md', classNames: dialog }),
    Notification: defaults<NotificationProps>({
      classNames: { root: styles['toast'] ?? '', description: styles['toastText'] ?? '' },
      closeButtonProps: { 'aria-label': 'Close' },
    }),
    DrawerRoot: defaults<DrawerRootProps>({ classNames: dialog }),
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
