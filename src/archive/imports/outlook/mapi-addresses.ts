import type { MapiMessage } from './mapi-message';
import type { MapiProperties } from './mapi-properties';

/** A mailbox of a header field (RFC 5322). */
export interface MailboxAddress {
  readonly name: string;
  readonly address: string;
}

const RECIPIENT_TYPES = { To: 1, Cc: 2, Bcc: 3 };
const DISPLAYED = { To: 'displayTo', Cc: 'displayCc', Bcc: 'displayBcc' } as const;
/** Domain of addresses that exist in a directory of Exchange only (RFC 2606). */
const NO_DOMAIN = 'exchange.invalid';
const MAX_LOCAL_PART = 400;

/** Author and sender of a message that was received without its header fields. Null: the file names none. */
export function senderOf(properties: MapiProperties): {
  from: MailboxAddress | null;
  sender: MailboxAddress | null;
} {
  const sender = mailbox(properties, 'senderName', 'senderSmtp', 'senderEmail', 'senderAddressType');
  const from = mailbox(
    properties,
    'sentRepresentingName',
    'sentRepresentingSmtp',
    'sentRepresentingEmail',
    'sentRepresentingAddressType',
  );
  return { from: from ?? sender, sender };
}

/** The recipients of one kind, in the order of the file; by their names alone where it has no list of them. */
export function addressesOf(
  { properties, recipients }: Pick<MapiMessage, 'properties' | 'recipients'>,
  field: keyof typeof RECIPIENT_TYPES,
): MailboxAddress[] {
  // The upper bits say whether the recipient is resolved, or that a copy was to be sent again.
  const listed = recipients.filter(
    (recipient) => ((recipient.readNumber('recipientType') ?? 1) & 0x0f) === RECIPIENT_TYPES[field],
  );
  if (recipients.length > 0) {
    return listed.flatMap((recipient) => {
      const name = recipient.has('displayName') ? 'displayName' : 'recipientDisplayName';
      return mailbox(recipient, name, 'smtpAddress', 'emailAddress', 'addressType') ?? [];
    });
  }
  const names = (properties.readText(DISPLAYED[field]) ?? '').split(';').map(cleaned).filter(Boolean);
  return names.map((name) =>
    isSmtp(name) ? { name: '', address: name } : { name, address: encapsulated('NAME', name) },
  );
}

type Name = Parameters<MapiProperties['readText']>[0];

function mailbox(
  properties: MapiProperties,
  name: Name,
  smtp: Name,
  email: Name,
  type: Name,
): MailboxAddress | null {
  const shown = cleaned(properties.readText(name)).replace(/^'(.*)'$/, '$1');
  const candidates = [smtp, email, name].map((each) =>
    cleaned(properties.readText(each)).replace(/^SMTP:/i, ''),
  );
  const address = candidates.find(isSmtp);
  if (address !== undefined) return { name: shown === address ? '' : shown, address };
  const other = candidates[1];
  if (other) return { name: shown, address: encapsulated(cleaned(properties.readText(type)) || 'EX', other) };
  return shown === '' ? null : { name: shown, address: encapsulated('NAME', shown) };
}

/**
 * An address that is no Internet address, e.g. `/O=ENRON/OU=NA/CN=RECIPIENTS/CN=DLEE`, in the form that Exchange gives such
 * addresses in Internet mail (IMCEA, MS-OXCMAIL 2.1.3.2.2), so that header fields are sound and nothing is lost.
 */
function encapsulated(type: string, address: string): string {
  const local = [...Buffer.from(address, 'utf8')]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (/[A-Za-z0-9=-]/.test(character)) return character;
      return character === '/' ? '_' : `+${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('')
    .slice(0, MAX_LOCAL_PART);
  return `IMCEA${type.replace(/[^A-Za-z0-9]/g, '') || 'EX'}-${local}@${NO_DOMAIN}`;
}

const cleaned = (text: string | null): string => (text ?? '').replace(/[\p{Cc}]+/gu, ' ').trim();

const isSmtp = (text: string): boolean => /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/.test(text);
