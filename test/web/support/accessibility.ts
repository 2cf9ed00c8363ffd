import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const SEVERE = ['serious', 'critical'];

/** Mails in frames are their senders' pages. */
const ALL_RULES = { iframes: false, resultTypes: ['violations'] };
const COLOURS = ['color-contrast', 'link-in-text-block'];
const RULES_OF_COLOURS = { ...ALL_RULES, runOnly: COLOURS };
const OTHER_RULES = {
  ...ALL_RULES,
  rules: Object.fromEntries(COLOURS.map((id) => [id, { enabled: false }])),
};

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

/** What is looked at: colours depend on the theme, everything else on the width, and in another language the texts. */
const LOOKS = {
  desk: [
    ['dark', RULES_OF_COLOURS],
    ['light', ALL_RULES],
  ],
  phone: [['light', OTHER_RULES]],
  translated: [['light', RULES_OF_TEXTS]],
} as const;

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds that keeps people from using the page, as text. */
export async function severeFindings(page: Page, look: keyof typeof LOOKS): Promise<string[]> {
  const findings: string[] = [];
  // The page's policy forbids scripts in the page, not those of the debugger.
  await page.evaluate(`globalThis.axe ?? (() => { ${AXE} })()`);
  for (const [colorScheme, options] of LOOKS[look]) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const violations = await page.evaluate<Violation[]>(
      `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
    );
    for (const { id, impact, nodes } of violations) {
      if (impact !== null && !SEVERE.includes(impact)) continue;
      for (const { html, failureSummary } of nodes)
        findings.push(`${colorScheme} ${id}: ${html} ${failureSummary ?? ''}`);
    }
  }
  return findings;
}

/** What sticks out of the page at this width, so that it has to be moved sideways; nothing when it fits. */
export const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map((element) => element.outerHTML.slice(0, 200));
  });
