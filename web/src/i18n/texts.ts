import { i18next, NAMESPACE } from './catalogue';
import { pages } from './en/pages';

/** The languages of the page. */
export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (value: unknown): value is Language => LANGUAGES.some((known) => known === value);

export type PageTexts = keyof typeof pages;

/** Pages whose texts are needed: they are loaded in another language before it is shown. */
const opened = new Set<PageTexts>();
/** The language that is shown, or about to be. */
let wanted: Language = 'en';

/** Makes the texts of a page known, once. */
export async function loadTexts(name: PageTexts): Promise<void> {
  opened.add(name);
  await loadPage(wanted, name);
}

/**
 * Loads the texts of a language for the pages that were opened, and the texts that all pages use.
 * @returns whether it is still the wanted one: the user may have chosen another meanwhile
 */
export async function loadLanguage(language: Language): Promise<boolean> {
  const before = wanted;
  wanted = language;
  try {
    // English is part of the page: it is what remains when nothing else can be loaded.
    if (language === 'fr' && !i18next.hasResourceBundle('fr', NAMESPACE))
      i18next.addResourceBundle('fr', NAMESPACE, (await import('./fr')).fr);
    await Promise.all([...opened].map((name) => loadPage(language, name)));
  } catch (error) {
    if (wanted === language) wanted = before;
    throw error;
  }
  return wanted === language;
}

async function loadPage(language: Language, name: PageTexts): Promise<void> {
  if (i18next.getResource(language, NAMESPACE, name) !== undefined) return;
  const texts = language === 'fr' ? (await import('./fr/pages')).pages : pages;
  i18next.addResourceBundle(language, NAMESPACE, await texts[name](), true, true);
}
