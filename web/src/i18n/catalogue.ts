import i18next, { type PostProcessorModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en';
import type { pages } from './en/pages';

/** Exports of the modules of pages, joined: each has one text tree with a distinct name. */
type OfPages = {
  readonly [Name in keyof typeof pages]: Awaited<ReturnType<(typeof pages)[Name]>> extends {
    readonly [Key in Name]: infer Texts;
  }
    ? Texts
    : never;
};

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en & OfPages };
  }
}

export const NAMESPACE = 'translation';

/**
 * Removes a second stop. An inserted value may end with the stop of an abbreviation, as `14 nov.` does, which also ends the
 * sentence.
 */
const oneStop: PostProcessorModule = {
  type: 'postProcessor',
  name: 'oneStop',
  process: (text: string, _key, values: Readonly<Record<string, unknown>>) =>
    Object.values(values).reduce<string>(
      (said, value) =>
        typeof value === 'string' && value.endsWith('.') ? said.replaceAll(`${value}.`, () => value) : said,
      text,
    ),
};

void i18next
  .use(initReactI18next)
  .use(oneStop)
  .init({
    lng: 'en',
    resources: { en: { [NAMESPACE]: en } },
    interpolation: { escapeValue: false },
    postProcess: oneStop.name,
    // The catalogue is there from the beginning: nothing has to wait for it.
    initAsync: false,
  });

/** Whether there is a text of this key: for words of the service, of which not every one has a text here. */
export const hasText = (key: string): boolean =>
  typeof i18next.getResource(i18next.language, NAMESPACE, key) === 'string';

export { i18next };
