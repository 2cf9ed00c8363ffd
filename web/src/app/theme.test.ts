import { DEFAULT_THEME } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { HUES } from '../ui/initials';
import { AVATAR_COLORS, cssVariables, theme } from './theme';

/** WCAG 1.4.3, for small text. */
const LEAST_CONTRAST = 4.5;

const channel = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
/** Red, green and blue of `#rrggbb` or `rgba(r, g, b, a)`, from 0 to 255. */
const channelsOf = (colour: string): number[] =>
  colour.startsWith('#')
    ? [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
    : colour.match(/\d+/g)!.slice(0, 3).map(Number);
const luminance = (colour: string): number => {
  const [red, green, blue] = channelsOf(colour).map((value) => channel(value / 255));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};
/** Contrast ratio of two colours (WCAG). */
const contrast = (one: string, other: string): number => {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
};

describe('colours of small text', () => {
  const { colors } = DEFAULT_THEME;
  const white = '#ffffff';
  const variables = cssVariables(DEFAULT_THEME);

  it.each([
    ['light', '--mantine-color-dimmed', white],
    ['light', '--mantine-color-error', white],
    ['dark', '--mantine-color-dimmed', colors.dark[7]],
    ['dark', '--mantine-color-error', colors.dark[7]],
    // Colours of buttons that delete something.
    ['dark', '--mantine-color-red-light-color', colors.dark[7]],
  ] as const)('should have enough contrast: %s, %s', (scheme, name, surface) => {
    expect(contrast(variables[scheme][name]!, surface)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  });

  it.each(['light', 'dark'] as const)('should have enough contrast for initials of senders: %s', (scheme) => {
    expect(AVATAR_COLORS).toHaveLength(HUES);
    const ratios = AVATAR_COLORS.map((_, n) =>
      contrast(
        variables[scheme][`--mailroom-avatar-${n}`]!,
        variables[scheme][`--mailroom-avatar-text-${n}`]!,
      ),
    );
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  });

  it.each([
    ['links in light mode', 8, white],
    ['filled buttons in light mode', 8, white],
    ['filled buttons in dark mode', 9, white],
    ['links in dark mode', 4, colors.dark[7]],
  ] as const)('should have enough contrast in the colour of Mailroom: %s', (_name, shade, surface) => {
    expect(contrast(theme.colors!.petrol![shade], surface)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  });

  it('should show destructive buttons in red in dark mode as well', () => {
    const colour = variables.dark['--mantine-color-red-light-color']!;
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
    expect(red!).toBeGreaterThan(1.5 * green!);
    expect(red!).toBeGreaterThan(1.5 * blue!);
  });
});
