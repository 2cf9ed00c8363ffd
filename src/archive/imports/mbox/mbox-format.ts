import type { ByteSource } from '../containers/byte-source';
import { labelOfFolderFile } from '../files/folder-labels';
import {
  type FileStart,
  foundDamage,
  type FoundItem,
  foundLeftOut,
  foundMessage,
  type MailFile,
  type MailFormat,
  MAX_MESSAGE_BYTES,
} from '../files/mail-format';
import { detectDialect } from './detect-dialect';
import { fromLineDate } from './from-line';
import { UNREADABLE } from './mbox-damage';
import { type MboxEntry, MboxSplitter } from './mbox-splitter';
import { readMessageState } from './message-states';
import { takeoutHeaders } from './takeout-headers';

/** Bytes at the beginning of a file by which its dialect is decided. */
export const MBOX_SAMPLE_BYTES = 4 * 1024 * 1024;
const FROM_FIRST = /^(?:\u00ef\u00bb\u00bf)?[ \t\r\n]*From /;

/** The messages of a folder in one file, of any dialect. */
export class MboxFormat implements MailFormat {
  readonly name = 'mbox';

  /**
   * Files in archives must begin with a From_ line: further down, it may be text that a document quotes. A file that is
   * uploaded as a mailbox may have lost its beginning.
   */
  async recognise({ file, bytes }: FileStart): Promise<boolean> {
    const size = file.source.size ?? 0;
    const isOneMailbox = file.folders === null || size > MAX_MESSAGE_BYTES;
    if (!isOneMailbox && !FROM_FIRST.test(bytes.toString('latin1', 0, 256))) return false;
    return (await dialectOf(file.source)) !== null;
  }

  async *read(file: MailFile, from: number): AsyncGenerator<FoundItem, void, undefined> {
    const dialect = await dialectOf(file.source);
    if (!dialect) return;
    const splitter = new MboxSplitter(dialect, { offset: from, maxMessageBytes: MAX_MESSAGE_BYTES });
    const folder = labelOfFolderFile(file);
    let readTo = from;
    for await (const chunk of file.source.open(from)) {
      readTo += chunk.length;
      splitter.write(chunk);
      for (let entry = splitter.next(); entry; entry = splitter.next())
        yield toItem(file, folder, entry, readTo);
    }
    splitter.end(file.source.damage);
    for (let entry = splitter.next(); entry; entry = splitter.next())
      yield toItem(file, folder, entry, readTo);
  }
}

const dialectOf = async (source: ByteSource): Promise<ReturnType<typeof detectDialect>> =>
  detectDialect(await source.peek(MBOX_SAMPLE_BYTES), MBOX_SAMPLE_BYTES);

function toItem(file: MailFile, folder: string | null, entry: MboxEntry, readTo: number): FoundItem {
  const { offset, end, raw, fromLine, fromLinesInText, damage } = entry;
  const place = `message at byte ${offset}`;
  const name = file.name === null ? place : `${file.name}: ${place}`;
  // Text before the first separator has none.
  const counts = { separators: fromLine === '' ? 0 : 1, fromLinesInText, end, readTo };
  if (!raw) return foundDamage(name, damage ?? UNREADABLE, counts);
  const { leftOut, labelIds, notKept } = readMessageState(raw);
  if (leftOut) return foundLeftOut(name, leftOut, counts);
  const takeout = takeoutHeaders(raw);
  const places = folder === null || takeout.hasLabels ? [] : [folder];
  const labels = new Set([...takeout.labelIds, ...places, ...labelIds]);
  const { threadId } = takeout;
  const receivedAt = fromLineDate(fromLine);
  return foundMessage({ raw, name, labelIds: [...labels], threadId, receivedAt }, { ...counts, notKept });
}
