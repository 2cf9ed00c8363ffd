import { i18next } from './index';
import { pages } from './en/pages';

export type PageTexts = keyof typeof pages;

/** Makes the texts of a page known, once. */
export async function loadTexts(name: PageTexts): Promise<void> {
  if (i18next.getResource('en', 'translation', name) !== undefined) return;
  i18next.addResourceBundle('en', 'translation', await pages[name](), true, true);
}
