import {
  CompoundFileDamage,
  isCompoundFile,
  readCompoundFile,
  type Storage,
} from '../../../platform/documents/compound-file';
import { type MapiAttachment, type MapiMessage, settleCodepage } from './mapi-message';
import { joinValues, MapiProperties, PROPERTY, SEVERAL, TYPE_OBJECT } from './mapi-properties';
import { NAMED_PROPERTIES } from './named-properties';
import { readMsgNames } from './msg-names';
import { OutlookDamage } from './outlook-damage';

const PROPERTIES = '__properties_version1.0';
const STREAM = /^__substg1\.0_([0-9A-F]{8})$/i;
const EMBEDDED = `__substg1.0_${((PROPERTY.attachData << 16) | TYPE_OBJECT).toString(16).padStart(8, '0').toUpperCase()}`;
const PROPERTY_SIZE = 16;
/** Bytes before the properties of a message, of one embedded in it, and of a recipient or attachment (MS-OXMSG 2.4). */
const HEADER = { message: 32, embedded: 24, part: 8 };
/** Most values of a property with several of them. */
const MAX_VALUES = 100;
/** Levels of messages in messages. */
const MAX_EMBEDDED = 8;

/**
 * Reads a message that Outlook saved as a file of its own (MS-OXMSG).
 * @throws OutlookDamage when it is none, or damaged
 */
export function readMsg(bytes: Buffer): MapiMessage {
  return readingCompoundFile(() => {
    const root = readCompoundFile(bytes);
    if (!root.streams.has(PROPERTIES))
      throw new OutlookDamage('it is a file of another program, not a message');
    const message = readMessage(root, readMsgNames(root), HEADER.message, 0);
    settleCodepage(message);
    return message;
  });
}

const PROPERTIES_NAME = Buffer.from(PROPERTIES, 'utf16le');

/**
 * Whether a file is a message of Outlook, and no document of another program. A damaged one is a message if it has the name
 * of a part that messages have.
 */
export function looksLikeMsg(bytes: Buffer): boolean {
  if (!isCompoundFile(bytes)) return false;
  try {
    return readingCompoundFile(() => readCompoundFile(bytes)).streams.has(PROPERTIES);
  } catch (error) {
    if (!(error instanceof OutlookDamage)) throw error;
    return bytes.includes(PROPERTIES_NAME);
  }
}

/** Reads a file whose streams are found damaged only when they are read. @throws OutlookDamage */
function readingCompoundFile<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof CompoundFileDamage) throw new OutlookDamage(error.message);
    throw error;
  }
}

type Names = ReadonlyMap<number, number>;

function readMessage(storage: Storage, names: Names, header: number, depth: number): MapiMessage {
  const parts = [...storage.storages].sort(([a], [b]) => (a < b ? -1 : 1));
  const named = (prefix: string): Storage[] =>
    parts.filter(([name]) => name.toLowerCase().startsWith(prefix)).map(([, part]) => part);
  return {
    properties: readProperties(storage, header, names),
    recipients: named('__recip_version1.0_#').map((part) => readProperties(part, HEADER.part)),
    attachments: named('__attach_version1.0_#').map((part) => readAttachment(part, names, depth)),
  };
}

function readAttachment(part: Storage, names: Names, depth: number): MapiAttachment {
  const properties = readProperties(part, HEADER.part);
  const embedded = part.storages.get(EMBEDDED);
  return {
    properties,
    data: properties.readBytes('attachData'),
    message:
      embedded?.streams.has(PROPERTIES) && depth < MAX_EMBEDDED
        ? readMessage(embedded, names, HEADER.embedded, depth + 1)
        : null,
  };
}

const WANTED = new Set<number>(Object.values(PROPERTY).filter((id) => !(id in NAMED_PROPERTIES)));
const NO_NAMES: Names = new Map();

/** Short values are in one stream; each other value is a stream whose name is the tag. */
function readProperties({ streams }: Storage, header: number, names = NO_NAMES): MapiProperties {
  const properties = new MapiProperties();
  const add = (tag: number, read: () => Buffer): void => {
    const id = names.get(tag >>> 16) ?? (WANTED.has(tag >>> 16) ? tag >>> 16 : null);
    if (id !== null) properties.add(((id << 16) | (tag & 0xffff)) >>> 0, read());
  };
  const fixed = streams.get(PROPERTIES)?.() ?? Buffer.alloc(0);
  for (let at = header; at + PROPERTY_SIZE <= fixed.length; at += PROPERTY_SIZE) {
    const tag = fixed.readUInt32LE(at);
    if (isFixed(tag & 0xffff)) add(tag, () => fixed.subarray(at + 8, at + 16));
  }
  for (const [name, read] of streams) {
    const tag = parseInt(STREAM.exec(name)?.[1] ?? '', 16);
    if (!Number.isNaN(tag)) add(tag, tag & SEVERAL ? () => readValues(streams, name) : read);
  }
  return properties;
}

const isFixed = (type: number): boolean => type < 0x1e || type === 0x40;

/** The texts of a property with several: each is a stream, whose name ends with its number (MS-OXMSG 2.1.4.2). */
function readValues(streams: Storage['streams'], name: string): Buffer {
  const values: Buffer[] = [];
  for (let index = 0; index < MAX_VALUES; index += 1) {
    const read = streams.get(`${name}-${index.toString(16).padStart(8, '0').toUpperCase()}`);
    if (!read) break;
    values.push(read());
  }
  return joinValues(values);
}
