import { expect, type Page } from '@playwright/test';
import { en as english } from '../../../web/src/i18n/en';
import { pages as englishPages } from '../../../web/src/i18n/en/pages';
import { fr as french } from '../../../web/src/i18n/fr';
import { pages as frenchPages } from '../../../web/src/i18n/fr/pages';

/** Where the page keeps the language that was chosen in this browser. */
const KEPT = 'mailroom-language';
/** Enough letters around what is filled in to know a text by them. */
const KNOWN_BY_LETTERS = 8;

/** Shows the page as it stands, with everything that is open, in another language: as if it were chosen in another tab. */
export async function showIn(page: Page, language: 'en' | 'fr'): Promise<void> {
  await page.evaluate(
    ([key, value]) => {
      localStorage.setItem(key, value);
      window.dispatchEvent(new StorageEvent('storage', { key, newValue: value }));
    },
    [KEPT, language] as const,
  );
  await expect(page.locator('html')).toHaveAttribute('lang', language);
}

/** Texts of the English catalogue that are on the page, and no French ones as well; nothing when it is French. */
export async function englishOn(page: Page): Promise<string[]> {
  const { texts, patterns, frenchPatterns } = await catalogue;
  const isEnglish = (text: string): boolean =>
    texts.has(text) ||
    (patterns.some((known) => known.test(text)) && !frenchPatterns.some((known) => known.test(text)));
  // "Delete: Old promotions", "off · has not run yet": some say two things.
  const partsOf = (text: string): string[] => [text, ...text.split(/\s*[:·]\s+/)];
  return (await textsOn(page)).filter((text) => partsOf(text).some(isEnglish));
}

/** What people read or hear, but for what is in another language on purpose; mails are in frames of their own. */
const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = new Set<string>();
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest('[lang=en], script, style') !== null) continue;
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE) found.add((node.textContent ?? '').trim());
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        found.add((element.getAttribute(name) ?? '').trim());
    }
    return [...found];
  });

async function textsOf(
  core: object,
  pages: Readonly<Record<string, () => Promise<object>>>,
): Promise<string[]> {
  const loaded = await Promise.all(Object.values(pages).map((load) => load()));
  return [core, ...loaded].flatMap(leavesOf);
}

const leavesOf = (texts: object): string[] =>
  Object.values(texts).flatMap((value: unknown) =>
    typeof value === 'string' ? [value] : leavesOf(value as object),
  );

const patternsOf = (texts: readonly string[]): RegExp[] =>
  texts
    .filter((text) => text.includes('{{'))
    .map((text) => text.split(/\{\{[^}]*\}\}/))
    .filter((parts) => parts.join('').replace(/\P{L}/gu, '').length >= KNOWN_BY_LETTERS)
    .map((parts) => new RegExp(`^${parts.map(escaped).join('.+')}$`, 'u'));

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** English texts as they are, and those of both languages in which something is filled in: some fit both. */
const catalogue = (async () => {
  const translated = await textsOf(french, frenchPages);
  const same = new Set(translated);
  const all = (await textsOf(english, englishPages)).filter((text) => !same.has(text));
  return {
    texts: new Set(all.filter((text) => !text.includes('{{'))),
    patterns: patternsOf(all),
    frenchPatterns: patternsOf(translated),
  };
})();
