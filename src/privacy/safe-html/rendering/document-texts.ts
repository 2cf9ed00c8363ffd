import type { HeadingLine } from '../../../platform/mime/message-heading';

/** Languages of the texts that the service puts into a document. */
export const DOCUMENT_LANGUAGES = ['en', 'fr'] as const;
export type DocumentLanguage = (typeof DOCUMENT_LANGUAGES)[number];

export interface DocumentTexts {
  readonly empty: string;
  readonly truncated: string;
  /** A note behind a link whose text names another site. @param host where it leads */
  readonly leadsTo: (host: string) => string;
  /** Names of the lines above a message that is a part of the one that is shown. */
  readonly heading: Readonly<Record<HeadingLine['name'], string>>;
}

export const DOCUMENT_TEXTS: Readonly<Record<DocumentLanguage, DocumentTexts>> = {
  en: {
    empty: 'This message has no text to show.',
    truncated: 'This message is too large to be shown whole.',
    leadsTo: (host) => `leads to ${host}`,
    heading: { From: 'From', To: 'To', Cc: 'Cc', Date: 'Date', Subject: 'Subject' },
  },
  fr: {
    empty: 'Ce message n’a pas de texte à afficher.',
    truncated: 'Ce message est trop grand pour être affiché en entier.',
    leadsTo: (host) => `mène à ${host}`,
    heading: { From: 'De', To: 'À', Cc: 'Cc', Date: 'Date', Subject: 'Objet' },
  },
};
