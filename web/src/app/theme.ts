import {
  createTheme,
  darken,
  DEFAULT_THEME,
  Menu,
  type CodeProps,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';
import { i18next } from '../i18n';

/** Asked for each time: the language may change. */
const namesCloseButton = () => ({ closeButtonProps: { 'aria-label': i18next.t('common.close') } });

/** The colour of Mailroom: links, what is chosen, and the first action of a page. */
const petrol: MantineColorsTuple = [
  '#e6f6f7', '#cdebed', '#9dd6db', '#69c0c8', '#3fadb7', '#23a0ac', '#1495a3', '#03818e', '#00707c', '#005f6a',
]; // prettier-ignore

/** Hues of the initials of senders; each has enough contrast in `cssVariables`. */
export const AVATAR_COLORS = [
  'petrol',
  'indigo',
  'grape',
  'pink',
  'orange',
  'green',
  'violet',
  'cyan',
] as const;

/** The look: the system's font, and colours with enough contrast for small text in light and dark. */
export const theme = createTheme({
  colors: { petrol },
  primaryColor: 'petrol',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  primaryShade: { light: 8, dark: 9 },
  respectReducedMotion: true,
  autoContrast: true,
  cursorType: 'pointer',
  // Mantine's own, but for `md`: 900 px, where navigation and list fit beside each other.
  breakpoints: { xs: '36em', sm: '48em', md: '56.25em', lg: '75em', xl: '88em' },
  components: {
    // Its own first element takes the focus, and is none that may stand in a menu.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // Commands and fingerprints are wider than a phone.
    Code: {
      styles: (_theme: unknown, { block }: CodeProps) => ({
        root: { overflowWrap: 'anywhere', ...(block && { whiteSpace: 'pre-wrap' }) },
      }),
    },
    // Names of folders, too, which may be one long word.
    Alert: { styles: { message: { overflowWrap: 'anywhere' } } },
    Modal: { defaultProps: namesCloseButton },
    Notification: {
      defaultProps: namesCloseButton,
      styles: { description: { color: 'var(--mantine-color-dimmed)' } },
    },
  },
});

/**
 * Small text needs a contrast of 4.5:1 (WCAG 1.4.3), which the components' own colours miss on some surfaces.
 *
 * Colours that differ by theme stand here: the build lowers `light-dark()` to variables that Mantine's switch of themes
 * does not set, and the colour is lost.
 */
export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-blue-light': colors.blue[0],
    '--mantine-color-blue-light-hover': colors.blue[1],
    '--mantine-color-red-light': colors.red[0],
    '--mantine-color-red-light-hover': colors.red[1],
    '--mantine-color-petrol-light': petrol[0],
    '--mantine-color-petrol-light-hover': petrol[1],
    '--mailroom-chart': petrol[6],
    '--mailroom-chart-hover': petrol[8],
    ...avatarVariables((shades) => ({ surface: shades[1], text: darken(shades[9], 0.45) })),
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-red-light-color': colors.red[4],
    '--mailroom-chart': petrol[5],
    '--mailroom-chart-hover': petrol[3],
    ...avatarVariables((shades) => ({ surface: darken(shades[9], 0.45), text: shades[1] })),
  },
});

/** `--mailroom-avatar-0` and `--mailroom-avatar-text-0`, and so on for each hue. */
function avatarVariables(
  look: (shades: MantineColorsTuple) => { readonly surface: string; readonly text: string },
): Record<string, string> {
  const shadesOf = (name: (typeof AVATAR_COLORS)[number]): MantineColorsTuple =>
    name === 'petrol' ? petrol : DEFAULT_THEME.colors[name];
  return Object.fromEntries(
    AVATAR_COLORS.flatMap((name, n) => {
      const { surface, text } = look(shadesOf(name));
      return [
        [`--mailroom-avatar-${n}`, surface],
        [`--mailroom-avatar-text-${n}`, text],
      ];
    }),
  );
}
