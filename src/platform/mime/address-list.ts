import type { Defects } from './defects';
import { decodeHeaderText, singleLine } from './header-text';

const MAX_ADDRESSES = 1_000;
/** A name with an address in brackets. */
const WHOLE_ADDRESS = /<[^<>\s]+@[^<>\s]+>/;

export interface MailAddress {
  /** Display name, decoded; empty when there is none. */
  name: string;
  /** The address as written; empty when only a name was given. */
  address: string;
}

/**
 * Parses an address list (RFC 5322 §3.4), groups flattened, at most 1,000 addresses, in one pass over the value.
 * The structure is read before encoded words are decoded, so an encoded comma or bracket separates nothing, unless all of an
 * address is encoded. A name before a comma without an address belongs to the next one: `Held, Jörg <jh@example.org>`.
 * @param charset the charset of 8-bit names, see `decodeHeaderText`
 */
export function parseAddressList(
  field: string,
  defects?: Defects,
  charset: string | null = null,
): MailAddress[] {
  const scanner = new AddressScanner(defects, charset);
  for (let pos = 0; pos < field.length && !scanner.full;) pos = scanner.take(field, pos);
  scanner.endAddress();
  scanner.endName();
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
  /** A name before a comma, until it is known whether an address follows. */
  private surname: string | null = null;
  /** Whether no quoted string ends behind this point. */
  private isWithoutQuotes = false;

  constructor(
    private readonly defects: Defects | undefined,
    private readonly charset: string | null,
  ) {}

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
        this.endAddress(true);
        return pos + 1;
      case ';':
        this.endAddress();
        return pos + 1;
      case ':':
        if (isColonInName(field, pos)) {
          this.words.push(':');
          return pos + 1;
        }
        // The text before was the name of a group (RFC 5322 §3.4); its members follow.
        this.endName();
        this.reset();
        return pos + 1;
      default:
        return this.takePlain(field, pos);
    }
  }

  /** @param atComma whether a comma follows, so that the name may be only the first part of one */
  endAddress(atComma = false): void {
    const isPlain = this.bracketed === null;
    const found = this.assemble();
    this.reset();
    if (found.length === 0) return;
    const [first] = found;
    if (isPlain && first?.address === '' && found.length === 1) {
      this.endName();
      if (atComma) this.surname = first.name;
      else this.add(first);
      return;
    }
    if (!isPlain && first && first.name !== '' && this.surname !== null) {
      this.add(createAddress(`${this.surname}, ${first.name}`, first.address));
      this.surname = null;
      return;
    }
    this.endName();
    for (const address of found) this.add(address);
  }

  /** Adds a name for which no address has come. */
  endName(): void {
    if (this.surname !== null) this.add({ name: this.surname, address: '' });
    this.surname = null;
  }

  private add(address: MailAddress): void {
    if (!this.full) this.addresses.push(address);
  }

  private reset(): void {
    this.words = [];
    this.comments = [];
    this.bracketed = null;
  }

  private assemble(): MailAddress[] {
    const written = this.words.join('');
    const phrase = this.decode(written);
    if (this.bracketed !== null) {
      const found = this.create(phrase || this.commentText(), singleLine(this.bracketed));
      // `<>`, the sender of bounces, is no address.
      return found.name === '' && found.address === '' ? [] : [found];
    }
    if (!phrase) return [];
    // All of it is encoded, brackets included.
    if (!written.includes('@') && WHOLE_ADDRESS.test(phrase)) return parseDecodedAddressList(phrase);
    if (phrase.includes('@')) {
      const words = phrase.split(' ');
      const at = words.findLastIndex((word) => word.includes('@'));
      const address = words.splice(at, 1)[0] ?? '';
      return [this.create(words.join(' ') || this.commentText(), address)];
    }
    return [{ name: phrase, address: '' }];
  }

  private create(name: string, written: string): MailAddress {
    const created = createAddress(name, written);
    if (created.address !== written)
      this.defects?.addDoubt('address', 'address that is not written correctly');
    return created;
  }

  private decode(text: string): string {
    return decodeHeaderText(text, this.defects, this.charset);
  }

  private commentText(): string {
    return this.decode(this.comments.join(' '));
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
    while (!this.isWithoutQuotes && end < field.length && field[end] !== '"') {
      if (field[end] === '\\' && end + 1 < field.length) end++;
      text += field[end++];
    }
    if (this.isWithoutQuotes || end >= field.length) {
      // A quote that nothing closes is none: the address behind it counts.
      this.defects?.addDoubt('address', 'address with a quote that nothing closes');
      this.isWithoutQuotes = true;
      return pos + 1;
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
    this.bracketed ??= this.decode(address);
    while (field[end + 1] === '>') end++;
    return end + 1;
  }
}

/** Whether a colon is a part of a name, as in `Support: Ann <a@example.org>`: nothing ends a group behind it. */
function isColonInName(field: string, pos: number): boolean {
  const rest = field.slice(pos + 1, pos + 1 + MAX_NAME);
  return !field.includes(';', pos) && /^[^,<>@]*[^\s,<>@][^,<>@]*<[^<>]*@/.test(rest);
}

const MAX_NAME = 1_000;

/** `mailto:a@example.org`, `[a@example.org]`; blanks and comments around the signs of an address (RFC 5322 §4.4). */
function repairAddress(address: string): string {
  const bare = address.includes('"') ? address : address.replace(/\([^()]{0,200}\)/g, '');
  return bare
    .replace(/^mailto:/i, '')
    .replace(/^\[([^[\]]*@[^[\]]*)\]$/, '$1')
    .replace(/ ?([@.]) ?/g, '$1')
    .trim();
}

function createAddress(name: string, written: string): MailAddress {
  const address = repairAddress(written);
  const bare = name.replace(/^'(.*)'$/, '$1').trim();
  return { name: bare.toLowerCase() === address.toLowerCase() ? '' : bare, address };
}
