import type { MessagePayload as Part } from '../../gmail/message-decoder';
import { parseStructuredValue } from '../../../platform/mime/header-text';
import { isList, numberOf, textOf, type Token, type TokenList } from '../session/imap-answers';

const MAX_PARTS = 1_000;
const MAX_DEPTH = 30;
/** Share of base64 characters in lines of 76 characters and a line break. */
const BASE64_LINE = 76 / 78;

/**
 * Reads BODYSTRUCTURE (RFC 3501 §7.4.2) into the shape of Gmail's parts, with the part numbers of IMAP.
 * @param header of the message itself, in which some things stand that a part has in its own header
 */
export function partsOfStructure(structure: TokenList): Part {
  return new StructureReader().read(structure, '', 0);
}

class StructureReader {
  private parts = 0;

  read(list: TokenList, partId: string, depth: number): Part {
    this.parts += 1;
    if (this.parts > MAX_PARTS || depth > MAX_DEPTH) return { partId, mimeType: 'application/octet-stream' };
    return isList(list[0]) ? this.readMultipart(list, partId, depth) : this.readLeaf(list, partId);
  }

  private readMultipart(list: TokenList, partId: string, depth: number): Part {
    const end = list.findIndex((token) => !isList(token));
    const children = (end < 0 ? list : list.slice(0, end)) as readonly TokenList[];
    const subtype = (textOf(list[end]) ?? 'mixed').toLowerCase();
    return {
      partId,
      mimeType: `multipart/${subtype}`,
      filename: '',
      headers: [],
      parts: children.map((child, index) =>
        this.read(child, partId === '' ? String(index + 1) : `${partId}.${index + 1}`, depth + 1),
      ),
    };
  }

  private readLeaf(list: TokenList, partId: string): Part {
    const type = (textOf(list[0]) ?? 'application').toLowerCase();
    const subtype = (textOf(list[1]) ?? 'octet-stream').toLowerCase();
    const mimeType = `${type}/${subtype}`;
    const parameters = formatHeader(mimeType, list[2]);
    const contentId = textOf(list[3]);
    const encoding = (textOf(list[5]) ?? '').toLowerCase();
    const octets = numberOf(list[6]) ?? 0;
    const disposition = this.dispositionOf(list, mimeType);
    const filename = fileNameOf(disposition) || fileNameOf(parameters);
    return {
      partId: partId === '' ? '1' : partId,
      mimeType,
      filename,
      headers: [
        { name: 'Content-Type', value: parameters },
        ...(disposition ? [{ name: 'Content-Disposition', value: disposition }] : []),
        ...(contentId ? [{ name: 'Content-ID', value: contentId }] : []),
      ],
      body: { size: encoding === 'base64' ? Math.floor(octets * BASE64_LINE * 0.75) : octets },
    };
  }

  /**
   * Reads the disposition of a leaf. Its extension data begins after its size, or after its number of lines where it
   * has one.
   */
  private dispositionOf(list: TokenList, mimeType: string): string {
    const from = mimeType === 'message/rfc822' ? 10 : mimeType.startsWith('text/') ? 8 : 7;
    // The extension data is MD5, then the disposition: a list of its name and parameters.
    const found = list
      .slice(from, from + 3)
      .find((token) => isList(token) && typeof textOf(token[0]) === 'string');
    if (!isList(found)) return '';
    return formatHeader((textOf(found[0]) ?? '').toLowerCase(), found[1]);
  }
}

/** Formats a structured header field from a value and its parameters. */
function formatHeader(value: string, parameters: Token | undefined): string {
  if (!isList(parameters)) return value;
  let field = value;
  for (let index = 0; index + 1 < parameters.length; index += 2) {
    const name = textOf(parameters[index]);
    const text = textOf(parameters[index + 1]);
    if (!name || text === null || !/^[\w!#$%&'*+.^`{|}~-]+$/.test(name)) continue;
    field += `; ${name}="${text.replace(/["\\]/g, '\\$&').replace(/\p{Cc}+/gu, ' ')}"`;
  }
  return field;
}

/** Returns the file name that a field gives its part, decoded by RFC 2231; empty without one. */
function fileNameOf(field: string): string {
  if (field === '') return '';
  const { parameters } = parseStructuredValue(Buffer.from(field, 'utf8').toString('latin1'));
  return parameters.get('filename') ?? parameters.get('name') ?? '';
}
