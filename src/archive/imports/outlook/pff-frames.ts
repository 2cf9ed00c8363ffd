import { type MapiAttachment, type MapiMessage, settleCodepage } from './mapi-message';
import { MapiProperties } from './mapi-properties';
import { OutlookDamage } from './outlook-damage';

const HEADER = 5;
const NOT_UNDERSTOOD = 'its reader answered what cannot be understood';
/** Largest frame that is accepted: an item, with room for its header. */
const MAX_FRAME = 256 * 1024 * 1024;

/** A frame of `pff-reader.py`. */
export interface PffFrame {
  readonly kind: string;
  readonly payload: Buffer;
  /** The whole frame, as the reader wrote it. */
  readonly bytes: Buffer;
}

/** Kinds of frames that make up a message. */
export const MESSAGE_FRAMES = 'PDRAMe';

/** The frames in bytes that have been split before. */
export function* framesIn(bytes: Buffer): Generator<PffFrame, void, undefined> {
  for (let at = 0; at < bytes.length;) {
    const end = at + HEADER + bytes.readUInt32BE(at + 1);
    const kind = String.fromCharCode(bytes[at]!);
    yield { kind, payload: bytes.subarray(at + HEADER, end), bytes: bytes.subarray(at, end) };
    at = end;
  }
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
      if (needed > MAX_FRAME) throw new OutlookDamage(NOT_UNDERSTOOD);
      if (bytes.length < needed) break;
      const kind = String.fromCharCode(bytes[0]!);
      yield { kind, payload: bytes.subarray(HEADER, needed), bytes: bytes.subarray(0, needed) };
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

/** The message that the frames of an item make up. @throws OutlookDamage */
export function assembleMessage(frames: Iterable<PffFrame>): MapiMessage {
  const assembler = new MessageAssembler();
  for (const frame of frames) assembler.add(frame);
  return assembler.build();
}

class MessageAssembler {
  private readonly root: OpenMessage = newMessage();
  private readonly open: Open[] = [{ message: this.root }];

  add({ kind, payload }: PffFrame): void {
    switch (kind) {
      case 'P':
        this.properties().add(payload.readUInt32BE(0), payload.subarray(4));
        return;
      case 'D':
        this.attachment().data.push(payload);
        return;
      case 'R': {
        const recipient = new MapiProperties();
        this.message().recipients.push(recipient);
        this.open.push({ recipient });
        return;
      }
      case 'A': {
        const { kind: attached } = JSON.parse(payload.toString()) as { kind: string };
        const attachment = { properties: new MapiProperties(), data: [], kind: attached, message: null };
        this.message().attachments.push(attachment);
        this.open.push({ attachment });
        return;
      }
      case 'M': {
        const message = newMessage();
        this.attachment().message = message;
        this.open.push({ message });
        return;
      }
      case 'e':
        this.open.pop();
        return;
      default:
        throw new OutlookDamage(NOT_UNDERSTOOD);
    }
  }

  build(): MapiMessage {
    const message = finished(this.root);
    settleCodepage(message);
    return message;
  }

  private last(): Open {
    const last = this.open.at(-1);
    if (!last) throw new OutlookDamage(NOT_UNDERSTOOD);
    return last;
  }

  private properties(): MapiProperties {
    const last = this.last();
    if ('recipient' in last) return last.recipient;
    return 'message' in last ? last.message.properties : last.attachment.properties;
  }

  private message(): OpenMessage {
    const last = this.last();
    if (!('message' in last)) throw new OutlookDamage(NOT_UNDERSTOOD);
    return last.message;
  }

  private attachment(): OpenAttachment {
    const last = this.last();
    if (!('attachment' in last)) throw new OutlookDamage(NOT_UNDERSTOOD);
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
