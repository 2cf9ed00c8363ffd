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
  // Read and not in the inbox are the absence of a label.
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

/** The provider's id of a system label; `''` for what is no label there; undefined for the user's own. */
export function systemLabelId(name: string): string | undefined {
  const category = CATEGORY.exec(name)?.[1];
  if (category !== undefined) return CATEGORY_IDS.get(fold(category));
  return SYSTEM.get(fold(name));
}
