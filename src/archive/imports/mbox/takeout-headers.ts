import { decodeHeaderText } from '../../../platform/mime/header-text';

/**
 * The first trace field (RFC 5321 section 4.4). Takeout writes its own fields first, and mail programs put theirs before
 * them. Fields below the first trace field have come with the mail: the sender may have forged them.
 */
const TRACE_FIELD = /^received:/i;
const MAX_HEAD = 64 * 1024;
const MAX_LABELS = 500;
const MAX_LABEL_LENGTH = 255;
/** One label of a list, quoted if it contains a comma. */
const LISTED = /\s*(?:"((?:[^"\\]|\\.)*)"[^,]*|([^,]*))(?:,|$)/gy;

/** Facts that a Google Takeout file adds to a message's own headers. */
export interface TakeoutHeaders {
  /** Id of the conversation in the form of the provider's API, in hexadecimal; null: none. */
  readonly threadId: string | null;
  readonly labelIds: readonly string[];
  /** Whether the labels are known, also if there is none. */
  readonly hasLabels: boolean;
}

/** Reads `X-GM-THRID` and `X-Gmail-Labels` above the first `Received`, or anywhere in the head if there is none. */
export function takeoutHeaders(message: Buffer): TakeoutHeaders {
  const fields = readOwnFields(message);
  const thread = /^\d{1,20}$/.exec(valueOf(fields, 'x-gm-thrid') ?? '')?.[0];
  const labels = valueOf(fields, 'x-gmail-labels');
  return {
    threadId: thread === undefined ? null : BigInt(thread).toString(16),
    labelIds: labels === null ? [] : labelIdsOf(decodeHeaderText(labels)),
    hasLabels: labels !== null,
  };
}

/** The header fields above the first trace field, unfolded. */
function readOwnFields(message: Buffer): string[] {
  const end = message.subarray(0, MAX_HEAD).indexOf('\r\n\r\n');
  const head = message.toString('latin1', 0, end === -1 ? MAX_HEAD : end);
  const fields = head.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  const trace = fields.findIndex((field) => TRACE_FIELD.test(field));
  return trace === -1 ? fields : fields.slice(0, trace);
}

/** The value of the first field of this name, in lower case. */
function valueOf(fields: readonly string[], name: string): string | null {
  const field = fields.find((line) => line.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  return field === undefined ? null : field.slice(name.length + 1).trim();
}

/** Each label once; system labels by their id. */
function labelIdsOf(list: string): string[] {
  const labels = new Set<string>();
  let seen = 0;
  for (const [, quoted, plain] of list.matchAll(LISTED)) {
    const label = (quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '').trim().slice(0, MAX_LABEL_LENGTH);
    const id = systemLabelId(label) ?? label;
    if (id !== '') labels.add(id);
    // The limit counts all labels, also repeated ones: each may search the whole list.
    if (++seen === MAX_LABELS) break;
  }
  return [...labels];
}

/** Names of system labels as Takeout writes them, in the languages whose words are certain. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  INBOX: [
    'Inbox',
    'Boîte de réception',
    'Posteingang',
    'Recibidos',
    'Posta in arrivo',
    'Caixa de entrada',
    'Postvak IN',
  ],
  SENT: [
    'Sent',
    'Messages envoyés',
    'Gesendet',
    'Enviados',
    'Posta inviata',
    'Enviadas',
    'E-mails enviados',
    'Verzonden',
  ],
  DRAFT: ['Drafts', 'Draft', 'Brouillons', 'Entwürfe', 'Borradores', 'Bozze', 'Rascunhos', 'Concepten'],
  TRASH: ['Trash', 'Bin', 'Corbeille', 'Papierkorb', 'Papelera', 'Cestino', 'Lixeira', 'Prullenbak'],
  SPAM: ['Spam'],
  STARRED: ['Starred', 'Suivis', 'Markiert', 'Destacados', 'Speciali', 'Com estrela', 'Met ster'],
  IMPORTANT: ['Important', 'Importants', 'Wichtig', 'Importantes', 'Importanti', 'Belangrijk'],
  UNREAD: ['Unread', 'Non lus', 'Ungelesen', 'No leídos', 'Da leggere', 'Não lidas', 'Ongelezen'],
  CHAT: ['Chat', 'Chats'],
  // "Opened" and "archived" are the absence of a label.
  '': ['Opened', 'Archived', 'Ouvert', 'Archivés', 'Geöffnet', 'Archiviert'],
};

const CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  CATEGORY_PERSONAL: ['Personal', 'Primary', 'Personnel', 'Principale'],
  CATEGORY_SOCIAL: ['Social', 'Réseaux sociaux', 'Soziale Netzwerke'],
  CATEGORY_PROMOTIONS: ['Promotions', 'Werbung', 'Promociones'],
  CATEGORY_UPDATES: ['Updates', 'Notifications', 'Benachrichtigungen'],
  CATEGORY_FORUMS: ['Forums', 'Foren', 'Foros'],
};
const CATEGORY = /^(?:Category|Catégorie|Kategorie|Categoría)\s*:?\s+["„“«]?\s*(.*?)\s*["“”»]?$/i;

const fold = (name: string): string => name.normalize('NFC').toLowerCase();

const idsByName = (names: typeof NAMES): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).flatMap(([id, all]) => all.map((name) => [fold(name), id] as const)));

const SYSTEM = idsByName(NAMES);
const CATEGORY_IDS = idsByName(CATEGORIES);

/** The provider's id of a system label; `''` for a name that is no label there; undefined for a label of the user. */
export function systemLabelId(name: string): string | undefined {
  const category = CATEGORY.exec(name)?.[1];
  if (category !== undefined) return CATEGORY_IDS.get(fold(category));
  return SYSTEM.get(fold(name));
}
