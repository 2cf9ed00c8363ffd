import { createHash } from 'node:crypto';
import { readWhole } from '../containers/byte-source';
import { CHECKSUM_WRONG } from '../containers/read-damage';
import { labelOfPlace } from '../files/folder-labels';
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
import { largerThan } from '../mbox/mbox-damage';
import { isCompoundFile } from '../../../platform/documents/compound-file';
import { looksLikeMsg } from './msg-file';
import type { OutlookRebuilder } from './outlook-rebuilder';

/** One message a file, as Outlook saves it under names like `letter.msg`. Its mail is rebuilt; see ADR 111. */
export class MsgFormat implements MailFormat {
  readonly name = 'msg';
  readonly reportsChecksum = true;

  constructor(private readonly rebuilder: OutlookRebuilder) {}

  /** Office documents are compound files as well: the whole file tells. */
  async recognise({ file, bytes }: FileStart): Promise<boolean> {
    if (!isCompoundFile(bytes)) return false;
    return looksLikeMsg(await file.source.peek(MAX_MESSAGE_BYTES));
  }

  async *read(file: MailFile, from: number): AsyncGenerator<FoundItem, void, undefined> {
    if (from > 0) return;
    const name = file.name ?? 'message';
    const { source } = file;
    const bytes = await readWhole(source, MAX_MESSAGE_BYTES);
    if (bytes === null) return yield foundDamage(name, largerThan(MAX_MESSAGE_BYTES));
    const damage = source.damage ?? (source.isChecksumWrong ? CHECKSUM_WRONG : null);
    if (damage) return yield foundDamage(name, damage);
    const item = await this.rebuilder.rebuildMsg(bytes);
    if (item.kind === 'damaged') yield foundDamage(name, item);
    else if (item.kind === 'left-out') yield foundLeftOut(name, item.reason);
    else {
      const { raw, labelIds, receivedAt, notKept } = item.message;
      const folder = labelOfPlace(file);
      const sourceSha256 = createHash('sha256').update(bytes).digest('hex');
      const message = {
        ...{ raw, name, receivedAt, threadId: null },
        labelIds: [...(folder === null ? [] : [folder]), ...labelIds],
        rebuiltFrom: { format: 'msg' as const, sourceSha256, itemId: null },
      };
      yield foundMessage(message, { notKept });
    }
  }
}
