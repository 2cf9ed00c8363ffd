import { DEFAULT_THEME } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { cssVariables } from './theme';

/** WCAG 1.4.3, for small text. */
const LEAST_CONTRAST = 4.5;

const channel = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const luminance = (hex: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) => channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
};
/** Contrast ratio of two colours as `#rrggbb` (WCAG). */
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

  it('should show destructive buttons in red in dark mode as well', () => {
    const colour = variables.dark['--mantine-color-red-light-color']!;
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
    expect(red!).toBeGreaterThan(1.5 * green!);
    expect(red!).toBeGreaterThan(1.5 * blue!);
  });
});
