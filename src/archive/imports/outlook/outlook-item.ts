import type { MapiMessage } from './mapi-message';
import type { RebuiltMessage } from './rebuilt-message';

/** Why an item of Outlook is no mail. */
export type NoMail = 'contact' | 'calendar' | 'task' | 'note' | 'journal' | 'otherItem';

/** An item: a message, something that is no mail, or something that cannot be read. */
export type OutlookItem =
  | { readonly kind: 'mail'; readonly message: RebuiltMessage }
  | { readonly kind: 'left-out'; readonly reason: NoMail }
  | { readonly kind: 'damaged'; readonly code: string; readonly reason: string };

const MAIL =
  /^(?:IPM$|IPM\.(?:Note|Post|Schedule|Recall|Outlook\.Recall|TaskRequest|Sharing|Document|Replication)\b|REPORT\.)/i;
/** Classes of items by how their names begin (MS-OXCMSG, MS-OXOCAL and others). */
const CLASSES: readonly (readonly [RegExp, NoMail])[] = [
  [/^IPM\.(?:Contact|AbchPerson|DistList)\b/i, 'contact'],
  [/^IPM\.(?:Appointment|OLE\.CLASS)\b/i, 'calendar'],
  [/^IPM\.Task\b/i, 'task'],
  [/^IPM\.StickyNote\b/i, 'note'],
  [/^IPM\.Activity\b/i, 'journal'],
];

/** Why an item is no mail, by its message class; null: it is. Items of unknown classes are mail if they were sent. */
export function reasonAgainst({ properties, recipients }: MapiMessage): NoMail | null {
  const name = properties.readText('messageClass') ?? '';
  if (name === '' || MAIL.test(name)) return null;
  const known = CLASSES.find(([pattern]) => pattern.test(name));
  if (known) return known[1];
  const wasSent =
    properties.has('transportHeaders') || (recipients.length > 0 && properties.has('clientSubmitTime'));
  return wasSent ? null : 'otherItem';
}
