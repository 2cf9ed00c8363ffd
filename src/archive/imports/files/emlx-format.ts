import { readWhole } from '../containers/byte-source';
import { CHECKSUM_WRONG } from '../containers/read-damage';
import { largerThan, MESSAGE_CUT_OFF } from '../mbox/mbox-damage';
import { statesNotKept } from '../mbox/message-states';
import { messageItem } from './eml-format';
import {
  type FileStart,
  foundDamage,
  type FoundItem,
  type MailFile,
  type MailFormat,
  MAX_MESSAGE_BYTES,
} from './mail-format';
import { isMessage } from './message-header';
import type { PlaceStates } from './place-states';

/** The first line: the number of bytes of the message. */
const COUNT = /^[ \t]*(\d{1,10})[ \t]*\r?\n/;
/** Bits of the flags in the property list behind the message. */
const FLAGS = {
  read: 1 << 0,
  deleted: 1 << 1,
  answered: 1 << 2,
  flagged: 1 << 4,
  draft: 1 << 6,
  forwarded: 1 << 8,
};
const PARTIAL = /\.partial\.emlx$/i;
/** Field of parts that Apple Mail keeps in a file beside the message. */
const KEPT_APART = 'X-Apple-Content-Length:';

/**
 * A message of Apple Mail: the number of its bytes, the message, and a property list with its states. In a partial one
 * the attachments are missing: Apple Mail keeps them in files beside it.
 */
export class EmlxFormat implements MailFormat {
  readonly reportsChecksum = true;

  constructor(readonly name: 'emlx' | 'partialEmlx') {}

  recognise({ file, bytes }: FileStart): boolean {
    const count = COUNT.exec(bytes.toString('latin1', 0, 64));
    if (!count || !isMessage(bytes.subarray(count[0].length), 1)) return false;
    const isPartial = PARTIAL.test(file.levels.at(-1) ?? '') || bytes.includes(KEPT_APART);
    return isPartial === (this.name === 'partialEmlx');
  }

  async *read(file: MailFile, from: number): AsyncGenerator<FoundItem, void, undefined> {
    if (from > 0) return;
    const { source } = file;
    const name = file.name ?? 'message';
    const bytes = await readWhole(source, MAX_MESSAGE_BYTES);
    if (bytes === null) return yield foundDamage(name, largerThan(MAX_MESSAGE_BYTES));
    const [line = '', count] = COUNT.exec(bytes.toString('latin1', 0, 64)) ?? [];
    const end = line.length + Number(count);
    const damage = source.damage ?? (source.isChecksumWrong ? CHECKSUM_WRONG : null);
    if (damage ?? end > bytes.length) return yield foundDamage(name, damage ?? MESSAGE_CUT_OFF);
    const list = bytes.toString('utf8', end);
    const received = integerOf(list, 'date-received');
    const receivedAt = received === null ? null : new Date(received * 1_000);
    yield messageItem(file, bytes.subarray(line.length, end), { states: statesOf(list), receivedAt });
  }
}

function statesOf(list: string): PlaceStates | null {
  const flags = integerOf(list, 'flags');
  if (flags === null) return null;
  // Flags have more bits than fit a signed number of 32.
  const has = (flag: number): boolean => Math.floor(flags / flag) % 2 === 1;
  return {
    isDeleted: has(FLAGS.deleted),
    labelIds: [
      ...(has(FLAGS.read) ? [] : ['UNREAD']),
      ...(has(FLAGS.flagged) ? ['STARRED'] : []),
      ...(has(FLAGS.draft) ? ['DRAFT'] : []),
    ],
    notKept: statesNotKept(has(FLAGS.answered), has(FLAGS.forwarded)),
  };
}

function integerOf(list: string, key: string): number | null {
  const value = new RegExp(`<key>${key}</key>\\s*<(?:integer|real)>(\\d{1,16})`).exec(list)?.[1];
  return value === undefined ? null : Number(value);
}
