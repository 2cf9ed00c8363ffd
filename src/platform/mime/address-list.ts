import type { Defects } from './defects';
import { decodeHeaderText, singleLine } from './header-text';

const MAX_ADDRESSES = 1_000;

export interface MailAddress {
  /** Display name, decoded; empty when there is none. */
  name: string;
  /** The address as written; empty when only a name was given. */
  address: string;
}

/**
 * Parses an address list (RFC 5322 §3.4), groups flattened, at most 1,000 addresses, in one pass over the value.
 * The structure is read before encoded words are decoded, so an encoded comma or bracket separates nothing.
 */
export function parseAddressList(field: string, defects?: Defects): MailAddress[] {
  const scanner = new AddressScanner(defects);
  for (let pos = 0; pos < field.length && !scanner.full;) pos = scanner.take(field, pos);
  scanner.endAddress();
  return scanner.addresses;
}

/** The same of a field that is text already, its encoded words decoded: any character may stand in it. */
export function parseDecodedAddressList(field: string): MailAddress[] {
  return parseAddressList(Buffer.from(field, 'utf8').toString('latin1'));
}

/** `Name <address>`, the name quoted when it holds a character that would make the result ambiguous. */
export function formatAddress({ name, address }: MailAddress): string {
  if (!name) return address;
  const display = /[",;:<>()@\\]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
  return address ? `${display} <${address}>` : display;
}

class AddressScanner {
  readonly addresses: MailAddress[] = [];
  private words: string[] = [];
  private comments: string[] = [];
  private bracketed: string | null = null;

  constructor(private readonly defects?: Defects) {}

  get full(): boolean {
    return this.addresses.length >= MAX_ADDRESSES;
  }

  /** Reads one token at `pos` and answers the offset behind it. */
  take(field: string, pos: number): number {
    switch (field[pos]) {
      case '"':
        return this.takeQuoted(field, pos);
      case '(':
        return this.takeComment(field, pos);
      case '<':
        return this.takeBracketed(field, pos);
      case ',':
      case ';':
        this.endAddress();
        return pos + 1;
      case ':':
        // The text before was the name of a group (RFC 5322 §3.4); its members follow.
        this.reset();
        return pos + 1;
      default:
        return this.takePlain(field, pos);
    }
  }

  endAddress(): void {
    const found = this.assemble();
    if (found && !this.full) this.addresses.push(found);
    this.reset();
  }

  private reset(): void {
    this.words = [];
    this.comments = [];
    this.bracketed = null;
  }

  private assemble(): MailAddress | null {
    const phrase = decodeHeaderText(this.words.join(''), this.defects);
    if (this.bracketed !== null) {
      const found = createAddress(phrase || this.commentText(), singleLine(this.bracketed));
      // `<>`, the sender of bounces, is no address.
      return found.name === '' && found.address === '' ? null : found;
    }
    if (!phrase) return null;
    if (phrase.includes('@')) {
      const words = phrase.split(' ');
      const at = words.findLastIndex((word) => word.includes('@'));
      const address = words.splice(at, 1)[0] ?? '';
      return createAddress(words.join(' ') || this.commentText(), address);
    }
    return { name: phrase, address: '' };
  }

  private commentText(): string {
    return decodeHeaderText(this.comments.join(' '), this.defects);
  }

  private takePlain(field: string, pos: number): number {
    let end = pos;
    while (end < field.length && !'"(<,;:'.includes(field[end] as string)) end++;
    this.words.push(field.slice(pos, end));
    return end;
  }

  private takeQuoted(field: string, pos: number): number {
    let text = '';
    let end = pos + 1;
    while (end < field.length && field[end] !== '"') {
      if (field[end] === '\\' && end + 1 < field.length) end++;
      text += field[end++];
    }
    const localPart = field[end + 1] === '@';
    this.words.push(localPart ? `"${text}"` : text);
    return end + 1;
  }

  private takeComment(field: string, pos: number): number {
    let depth = 0;
    let end = pos;
    for (; end < field.length; end++) {
      if (field[end] === '\\') end++;
      else if (field[end] === '(') depth++;
      else if (field[end] === ')' && --depth === 0) break;
    }
    this.comments.push(field.slice(pos + 1, end));
    this.words.push(' ');
    return end + 1;
  }

  private takeBracketed(field: string, pos: number): number {
    let end = field.indexOf('>', pos);
    if (end === -1) end = field.length;
    // `<<a@b>` and source routes `<@relay:a@b>` (RFC 5322 §4.4) leave the address at the end.
    const inner = field.slice(pos + 1, end).replace(/^[\s<]+/, '');
    const address = inner.startsWith('@') ? inner.slice(inner.indexOf(':') + 1) : inner;
    this.bracketed ??= decodeHeaderText(address, this.defects);
    while (field[end + 1] === '>') end++;
    return end + 1;
  }
}

function createAddress(name: string, address: string): MailAddress {
  const bare = name.replace(/^'(.*)'$/, '$1').trim();
  return { name: bare.toLowerCase() === address.toLowerCase() ? '' : bare, address };
}
