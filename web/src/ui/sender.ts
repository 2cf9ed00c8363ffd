/** The name of a From header, else its address: `"Ada" <ada@example.org>` is Ada. */
export function senderName(from: string): string {
  const bracket = from.lastIndexOf('<');
  const name = (bracket > 0 ? from.slice(0, bracket) : '')
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
  return name || from.replace(/^.*<([^<>]*)>.*$/, '$1').trim();
}

/** The address of a From header, else the whole of it. */
export const senderAddress = (from: string): string => from.replace(/^.*<([^<>]*)>.*$/s, '$1').trim();

/** Name and address, without the quotes that the header needs: `"Ada" <ada@example.org>` is Ada <ada@example.org>. */
export function senderText(from: string): string {
  const [name, address] = [senderName(from), senderAddress(from)];
  return name === address ? address : `${name} <${address}>`;
}

/** An address that means the same with and without quotes. */
const PLAIN = /^[\w.%][\w.%+-]*@[A-Za-z\d.-]+$/;

/** A search for the mail of a sender: the address is never read as an operator. */
export function senderSearch(from: string): string {
  const address = senderAddress(from);
  return PLAIN.test(address) ? `from:(${address})` : `from:("${address.replace(/["\\]/g, '')}")`;
}
