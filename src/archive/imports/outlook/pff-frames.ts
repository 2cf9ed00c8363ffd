import { type MapiAttachment, type MapiMessage, settleCodepage } from './mapi-message';
import { MapiProperties } from './mapi-properties';
import { OutlookDamage } from './outlook-damage';

const HEADER = 5;
/** Largest frame that is accepted: an item, with room for its header. */
const MAX_FRAME = 256 * 1024 * 1024;

/** A frame of `pff-reader.py`. */
export interface PffFrame {
  readonly kind: string;
  readonly payload: Buffer;
}

/** Splits the output of the reader into frames. */
export async function* splitFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<PffFrame, void, undefined> {
  let pieces: Buffer[] = [];
  let held = 0;
  let needed = HEADER;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    held += chunk.length;
    if (held < needed) continue;
    let bytes = pieces.length === 1 ? chunk : Buffer.concat(pieces);
    for (;;) {
      needed = bytes.length < HEADER ? HEADER : HEADER + bytes.readUInt32BE(1);
      if (needed > MAX_FRAME) throw new OutlookDamage('its reader answered what cannot be understood');
      if (bytes.length < needed) break;
      yield { kind: String.fromCharCode(bytes[0]!), payload: bytes.subarray(HEADER, needed) };
      bytes = bytes.subarray(needed);
    }
    pieces = [bytes];
    held = bytes.length;
  }
}

interface OpenAttachment {
  readonly properties: MapiProperties;
  readonly data: Buffer[];
  readonly kind: string;
  message: OpenMessage | null;
}

interface OpenMessage {
  readonly properties: MapiProperties;
  readonly recipients: MapiProperties[];
  readonly attachments: OpenAttachment[];
}

type Open =
  | { readonly message: OpenMessage }
  | { readonly recipient: MapiProperties }
  | { readonly attachment: OpenAttachment };

/** Puts a message together from the frames of an item. */
export class MessageAssembler {
  private readonly root: OpenMessage = newMessage();
  private readonly open: Open[] = [{ message: this.root }];

  /** @returns whether the frame belongs to the message */
  add({ kind, payload }: PffFrame): boolean {
    switch (kind) {
      case 'P':
        this.properties().add(payload.readUInt32BE(0), payload.subarray(4));
        return true;
      case 'D':
        this.attachment().data.push(payload);
        return true;
      case 'R': {
        const recipient = new MapiProperties();
        this.message().recipients.push(recipient);
        this.open.push({ recipient });
        return true;
      }
      case 'A': {
        const { kind: attached } = JSON.parse(payload.toString()) as { kind: string };
        const attachment = { properties: new MapiProperties(), data: [], kind: attached, message: null };
        this.message().attachments.push(attachment);
        this.open.push({ attachment });
        return true;
      }
      case 'M': {
        const message = newMessage();
        this.attachment().message = message;
        this.open.push({ message });
        return true;
      }
      case 'e':
        this.open.pop();
        return true;
      default:
        return false;
    }
  }

  build(): MapiMessage {
    const message = finished(this.root);
    settleCodepage(message);
    return message;
  }

  private last(): Open {
    const last = this.open.at(-1);
    if (!last) throw new OutlookDamage('its reader answered what cannot be understood');
    return last;
  }

  private properties(): MapiProperties {
    const last = this.last();
    if ('recipient' in last) return last.recipient;
    return 'message' in last ? last.message.properties : last.attachment.properties;
  }

  private message(): OpenMessage {
    const last = this.last();
    if (!('message' in last)) throw new OutlookDamage('its reader answered what cannot be understood');
    return last.message;
  }

  private attachment(): OpenAttachment {
    const last = this.last();
    if (!('attachment' in last)) throw new OutlookDamage('its reader answered what cannot be understood');
    return last.attachment;
  }
}

const newMessage = (): OpenMessage => ({ properties: new MapiProperties(), recipients: [], attachments: [] });

const finished = ({ properties, recipients, attachments }: OpenMessage): MapiMessage => ({
  properties,
  recipients,
  attachments: attachments.map(({ properties: own, data, kind, message }): MapiAttachment => ({
    properties: own,
    data: kind === 'd' ? Buffer.concat(data) : null,
    message: message ? finished(message) : null,
  })),
});
