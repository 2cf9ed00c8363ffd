import { readWhole } from '../containers/byte-source';
import { CHECKSUM_WRONG } from '../containers/read-damage';
import { detectDialect } from '../mbox/detect-dialect';
import { largerThan } from '../mbox/mbox-damage';
import { messageBytes } from '../mbox/message-bytes';
import { MBOX_SAMPLE_BYTES } from '../mbox/mbox-format';
import { readMessageState } from '../mbox/message-states';
import { takeoutHeaders } from '../mbox/takeout-headers';
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

/** One message a file (RFC 5322), as programs save it under names like `letter.eml`. */
export class EmlFormat implements MailFormat {
  readonly name = 'eml';
  readonly reportsChecksum = true;

  async recognise({ file, bytes }: FileStart): Promise<boolean> {
    if (!isMessage(bytes)) return false;
    const { source } = file;
    if (source.size === null || source.size <= MAX_MESSAGE_BYTES) return true;
    // An mbox file of which the beginning is missing looks like one large message.
    return !detectDialect(await source.peek(MBOX_SAMPLE_BYTES), MBOX_SAMPLE_BYTES);
  }

  async *read(file: MailFile, from: number): AsyncGenerator<FoundItem, void, undefined> {
    if (from > 0) return;
    const name = file.name ?? 'message';
    const { source } = file;
    const bytes = await readWhole(source, MAX_MESSAGE_BYTES);
    if (bytes === null) return yield foundDamage(name, largerThan(MAX_MESSAGE_BYTES));
    const damage = source.damage ?? (source.isChecksumWrong ? CHECKSUM_WRONG : null);
    if (damage) return yield foundDamage(name, damage);
    yield toItem(file, name, bytes);
  }
}

function toItem(file: MailFile, name: string, bytes: Buffer): FoundItem {
  const raw = messageBytes(bytes, bytes.length, false);
  const { leftOut, labelIds, notKept } = readMessageState(raw);
  if (leftOut) return foundLeftOut(name, leftOut);
  const takeout = takeoutHeaders(raw);
  const folder = takeout.hasLabels ? null : labelOfPlace(file);
  const labels = new Set([...takeout.labelIds, ...(folder === null ? [] : [folder]), ...labelIds]);
  const message = { raw, name, labelIds: [...labels], threadId: takeout.threadId, receivedAt: null };
  return foundMessage(message, { notKept });
}
