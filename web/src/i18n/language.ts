import { useTranslation } from 'react-i18next';
import { i18next } from './catalogue';
import { isLanguage, loadLanguage, type Language } from './texts';

/** Key in the local storage under which this browser's language is kept. */
const KEPT = 'mailroom-language';

/** The language that is shown; what asks is shown anew when it changes. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return isLanguage(i18n.language) ? i18n.language : 'en';
}

/** Shows the page in another language, and keeps the choice. @param language null follows the browser */
export async function setLanguage(language: Language | null): Promise<void> {
  if (await show(language ?? detectBrowserLanguage())) storeLanguage(language);
}

/** Shows what is chosen in another tab here as well. @returns ends it */
export function followTabs(): () => void {
  const hear = ({ key }: StorageEvent): void => {
    if (key === KEPT) void showPreferredLanguage();
  };
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}

/** Shows the page in the language that was chosen here, else in one of the browser's; to begin with. */
export async function showPreferredLanguage(): Promise<void> {
  await show(readStoredLanguage() ?? detectBrowserLanguage());
}

/** @returns false when another was chosen meanwhile */
async function show(language: Language): Promise<boolean> {
  if (!(await loadLanguage(language))) return false;
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  return true;
}

const detectBrowserLanguage = (): Language =>
  navigator.languages.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en';

function readStoredLanguage(): Language | null {
  try {
    const chosen = localStorage.getItem(KEPT);
    return isLanguage(chosen) ? chosen : null;
  } catch {
    // Storage is closed to this page: the browser decides.
    return null;
  }
}

function storeLanguage(language: Language | null): void {
  try {
    if (language === null) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, language);
  } catch {
    // Storage is closed to this page: the choice holds until it is left.
  }
}
