import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { signUp } from './support/people';
import { openPage } from './support/places';

const THEMES = ['light', 'dark'] as const;
/** WCAG 1.4.11: what a chart is understood by differs this much from what is beside it. */
const LEAST_CONTRAST = 3;

interface Marks {
  readonly shown: number;
  /** Of the mark that differs most from what is behind it; 1 when all are invisible. */
  readonly contrast: number;
}

/**
 * Reads the colours that the browser computed for the marks of a chart: columns that have a height, cells of the heat map.
 * Colours are painted on a canvas, because `getComputedStyle` gives those of `color-mix()` in another notation.
 */
const marksOf = (page: Page, region: string, kind: 'bar' | 'cell'): Promise<Marks> =>
  page.getByRole('region', { name: region }).evaluate((chart, mark) => {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
    const painted = (colours: readonly string[]): number[] => {
      for (const colour of colours) {
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
      }
      return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    };
    const luminance = (rgb: readonly number[]): number => {
      const [red, green, blue] = rgb.map((value) =>
        value / 255 <= 0.040_45 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
    };
    const grounds = (element: Element | null): string[] =>
      element === null ? [] : [...grounds(element.parentElement), getComputedStyle(element).backgroundColor];
    const contrasts = [...chart.querySelectorAll(`[class*="${mark}"]`)]
      .filter((element) => element.getBoundingClientRect().height > 0)
      .map((element) => {
        const behind = ['#fff', ...grounds(element.parentElement)];
        const [one, other] = [
          luminance(painted(behind)),
          luminance(painted([...behind, getComputedStyle(element).backgroundColor])),
        ].toSorted((first, second) => second - first);
        return (one! + 0.05) / (other! + 0.05);
      });
    return { shown: contrasts.length, contrast: Math.max(1, ...contrasts) };
  }, kind);

test('every chart is visible in light and dark mode', async ({ page }) => {
  await signUp(page, { mailbox: true });
  const open = (name: string): Promise<void> => openPage(page, name);
  const canBeSeen = async (region: string, kind: 'bar' | 'cell'): Promise<void> => {
    await expect(
      page.getByRole('region', { name: region }).locator(`[class*="${kind}"]`).first(),
    ).toBeAttached();
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      const { shown, contrast } = await marksOf(page, region, kind);
      expect.soft(shown, `marks of ${region}`).toBeGreaterThan(0);
      expect.soft(contrast, `contrast of ${region} in ${colorScheme}`).toBeGreaterThan(LEAST_CONTRAST);
    }
  };
  await open('Home');
  await canBeSeen('By month', 'bar');
  await open('Insights');
  await canBeSeen('When mail arrives', 'cell');
  await canBeSeen('Messages per month', 'bar');
  await canBeSeen('Requests to the mail provider', 'bar');
});
