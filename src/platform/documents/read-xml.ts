import { Parser } from 'htmlparser2';
import { StringDecoder } from 'node:string_decoder';
import { DocumentUnread } from './document-text';

export type Attributes = Readonly<Record<string, string>>;

/** Receiver of the elements of an XML file. Names are as written, with their prefix. */
export interface XmlVisitor {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Elements in each other; documents have some dozens. */
const MAX_DEPTH = 1_000;

/**
 * Reads XML as it comes. Entities of a DTD are not resolved, and nothing is fetched: neither can make a text grow.
 * @throws DocumentUnread; what the visitor throws
 */
export async function readXml(chunks: AsyncIterable<Buffer>, visitor: XmlVisitor): Promise<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > MAX_DEPTH) throw new DocumentUnread({ state: 'too-large', reason: 'nesting-limit' });
        visitor.open?.(name, attributes);
      },
      ontext(text) {
        visitor.text?.(text);
      },
      onclosetag(name) {
        depth -= 1;
        visitor.close?.(name);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new StringDecoder('utf8');
  for await (const chunk of chunks) parser.write(decoder.write(chunk));
  parser.end(decoder.end());
}

/** Name of an element without its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
