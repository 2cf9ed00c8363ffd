export { hasText, i18next } from './catalogue';
export { followTabs, setLanguage, useLanguage } from './language';
export { LANGUAGES, type Language } from './texts';
