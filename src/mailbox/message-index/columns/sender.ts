import { parseDecodedAddressList } from '../../../mime/headers/address-list';

/** RFC 5321 §4.5.3.1 allows 254; what is longer is no address, yet must be grouped by something. */
const MAX_EMAIL = 320;

export interface Sender {
  /** Lower-case; empty when the header holds no address. */
  readonly email: string;
  /** Display name, empty when there is none. */
  readonly name: string;
}

/** Who wrote a message. @param from the From header, encoded words decoded */
export function senderOf(from: string): Sender {
  const addresses = parseDecodedAddressList(from);
  const first = addresses.find(({ address }) => address !== '') ?? addresses[0];
  return { email: (first?.address ?? '').toLowerCase().slice(0, MAX_EMAIL), name: first?.name ?? '' };
}

/** `Name <address>` for display, the bare one of both when the other is missing. */
export function displaySender({ name, email }: Sender): string {
  if (!name) return email;
  return email ? `${name} <${email}>` : name;
}
