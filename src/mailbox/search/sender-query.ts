import { searchTerm, searchText } from './search-text';

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/**
 * Query for mail of one sender; whatever the address holds, it is no operator. Providers may find more: longer
 * addresses that contain this one, for example.
 * @returns null for what is no address: a word would select senders by their names, `me` the account itself
 */
export function senderQuery(address: string): string | null {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, Math.max(0, at)), address.slice(at + 1)];
  if (!SAYS_SOMETHING.test(local) || !SAYS_SOMETHING.test(domain)) return null;
  const text = searchText(address);
  return text === undefined ? null : `from:(${searchTerm(text)})`;
}
