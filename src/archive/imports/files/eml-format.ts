import { readWhole } from '../containers/byte-source';
import { CHECKSUM_WRONG } from '../containers/read-damage';
import { detectDialect } from '../mbox/detect-dialect';
import { largerThan } from '../mbox/mbox-damage';
import { messageBytes } from '../mbox/message-bytes';
import { MBOX_SAMPLE_BYTES } from '../mbox/mbox-format';
import { readMessageState } from '../mbox/message-states';
import { takeoutHeaders } from '../mbox/takeout-headers';
import { isInMaildir } from './folder-layouts';
import { labelOfPlace } from './folder-labels';
import {
  type FileStart,
  foundDamage,
  type FoundItem,
  foundLeftOut,
  foundMessage,
  type MailFile,
  type MailFormat,
  MAX_MESSAGE_BYTES,
} from './mail-format';
import { isMessage } from './message-header';
import { maildirArrival, maildirStates, mhStates, type PlaceStates } from './place-states';

/** Names of messages in MH folders, removed ones included. */
const MH_NAME = /^[,#]?\d{1,9}$/;

/** One message a file (RFC 5322), as programs save it, and as Maildir and MH folders have it. */
export class EmlFormat implements MailFormat {
  readonly name = 'eml';
  readonly reportsChecksum = true;

  async recognise({ file, bytes }: FileStart): Promise<boolean> {
    // Where only messages lie, a draft with a single field is one.
    const isAmongMessages = isInMaildir(file.levels) || MH_NAME.test(file.levels.at(-1) ?? '');
    if (!isMessage(bytes, isAmongMessages ? 1 : 2)) return false;
    const { source } = file;
    if (source.size === null || source.size <= MAX_MESSAGE_BYTES) return true;
    // An mbox file of which the beginning is missing looks like one large message.
    return !detectDialect(await source.peek(MBOX_SAMPLE_BYTES), MBOX_SAMPLE_BYTES);
  }

  async *read(file: MailFile, from: number): AsyncGenerator<FoundItem, void, undefined> {
    if (from > 0) return;
    const name = file.name ?? 'message';
    const { source, levels, folders } = file;
    const bytes = await readWhole(source, MAX_MESSAGE_BYTES);
    if (bytes === null) return yield foundDamage(name, largerThan(MAX_MESSAGE_BYTES));
    const damage = source.damage ?? (source.isChecksumWrong ? CHECKSUM_WRONG : null);
    if (damage) return yield foundDamage(name, damage);
    const states =
      maildirStates(levels, folders?.keywordsOf(levels) ?? []) ??
      mhStates(levels, folders?.sequencesOf(levels) ?? null);
    yield messageItem(file, bytes, { states, receivedAt: maildirArrival(levels) });
  }
}

/** Facts about a message that do not stand in it. */
export interface MessageFacts {
  /** States that count instead of those in the header; null: none are known. */
  readonly states: PlaceStates | null;
  readonly receivedAt: Date | null;
}

/** The item for a file of one message. */
export function messageItem(file: MailFile, bytes: Buffer, { states, receivedAt }: MessageFacts): FoundItem {
  const name = file.name ?? 'message';
  const raw = messageBytes(bytes, bytes.length, false);
  const noted = readMessageState(raw);
  const leftOut = states?.isDeleted ? 'deleted' : noted.leftOut;
  if (leftOut) return foundLeftOut(name, leftOut);
  const { labelIds, notKept } = states ?? noted;
  const takeout = takeoutHeaders(raw);
  const folder = takeout.hasLabels ? null : labelOfPlace(file);
  const labels = new Set([...takeout.labelIds, ...(folder === null ? [] : [folder]), ...labelIds]);
  const message = { raw, name, labelIds: [...labels], threadId: takeout.threadId, receivedAt };
  return foundMessage(message, { notKept });
}
