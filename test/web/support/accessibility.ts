import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const SEVERE = ['serious', 'critical'];

/**
 * Mails in frames are their senders' pages. `preload` would fetch the style sheets again, for a rule about pages that lock
 * the orientation of the device; ours have none.
 */
const ALL_RULES = { iframes: false, preload: false, resultTypes: ['violations'] };
/** What texts alone can spoil. */
const RULES_OF_TEXTS = {
  ...ALL_RULES,
  runOnly: [
    'aria-input-field-name',
    'button-name',
    'html-has-lang',
    'label',
    'label-content-name-mismatch',
    'link-name',
    'valid-lang',
  ],
};

/** Everything on both, each in another theme: a look costs more than the rules it checks. In French only the texts. */
const LOOKS = {
  desk: ['light', ALL_RULES],
  phone: ['dark', ALL_RULES],
  translated: ['light', RULES_OF_TEXTS],
} as const;

/** A dialog that has to be answered first, or the page: what is behind a dialog was looked at before it was opened. */
const IN_FRONT = `[...document.querySelectorAll('[role=dialog][aria-modal=true]')].at(-1) ?? document`;

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds that keeps people from using the page, as text. */
export async function severeFindings(page: Page, look: keyof typeof LOOKS): Promise<string[]> {
  // The page's policy forbids scripts in the page, not those of the debugger.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const [colorScheme, options] = LOOKS[look];
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const violations = await page.evaluate<Violation[]>(
    `axe.run(${IN_FRONT}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact === null || SEVERE.includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${colorScheme} ${id}: ${html} ${failureSummary ?? ''}`),
    );
}

/** What sticks out of the page at this width, so that it has to be moved sideways; nothing when it fits. */
export const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const isMovable = (element: Element): boolean => getComputedStyle(element).overflowX !== 'visible';
    const within = (element: Element | null): boolean =>
      element !== null && element !== document.body && (isMovable(element) || within(element.parentElement));
    return [...document.querySelectorAll('body *')]
      .filter(
        (element) => element.getBoundingClientRect().right > clientWidth && !within(element.parentElement),
      )
      .map((element) => element.outerHTML.slice(0, 200));
  });
