import { createHash } from 'node:crypto';
import type { ByteSource } from '../containers/byte-source';
import { labelOfFolder } from '../files/folder-labels';
import {
  type FileStart,
  foundDamage,
  type FoundItem,
  foundLeftOut,
  foundMessage,
  type MailFile,
  type MailFormat,
} from '../files/mail-format';
import { OutlookFileUnreadable, OutlookReaderMissing } from '../imports.errors';
import type { OutlookRebuilder } from './outlook-rebuilder';
import { PFF_LIMITS, type PffProgram } from './pff-process';
import {
  isPst,
  type PstFolder,
  type PstItem,
  type PstOpened,
  PstReaderMissing,
  PstUnreadable,
  readPstItems,
} from './pst-items';

/** Bytes read at a time for the hash of a file. */
const HASH_READ = 1024 * 1024;
const LABEL_OF_ROLE = { trash: 'TRASH', sent: 'SENT' } as const;

/** Data files of Outlook: PST and OST, of which the mail is rebuilt; see ADR 111. */
export class PstFormat implements MailFormat {
  readonly name = 'pst';
  readonly needsDisk = true;

  /** @param program that runs the reader, if not Python */
  constructor(
    private readonly rebuilder: OutlookRebuilder,
    private readonly program?: PffProgram,
  ) {}

  recognise({ bytes }: FileStart): boolean {
    return isPst(bytes);
  }

  /** @throws OutlookReaderMissing; OutlookFileUnreadable when the file is the upload */
  async *read(file: MailFile, from: number, signal: AbortSignal): AsyncGenerator<FoundItem, void, undefined> {
    const { path } = file.source.extent!;
    const sourceSha256 = await hashOf(file.source, signal);
    const reading = new PstReading(file, sourceSha256);
    try {
      for await (const found of readPstItems(path, from, signal, PFF_LIMITS, this.program)) {
        if (found.kind === 'opened') reading.open(found);
        else yield await this.toItem(reading, found);
      }
      yield* reading.endingsFrom(from);
    } catch (error) {
      if (error instanceof PstReaderMissing) throw new OutlookReaderMissing(error.reason);
      if (!(error instanceof PstUnreadable)) throw error;
      if (file.folders === null && !reading.isOpen) throw new OutlookFileUnreadable(error.reason);
      yield reading.damageOfFile(error.reason);
    }
  }

  private async toItem(reading: PstReading, item: PstItem): Promise<FoundItem> {
    const name = reading.nameOf(item);
    const rest = reading.progressAt(item.position);
    if (item.failure || !item.frames)
      return foundDamage(name, item.failure ?? { code: UNREADABLE, reason: 'it is empty' }, rest);
    const rebuilt = await this.rebuilder.rebuildItem(item.frames);
    if (rebuilt.kind === 'damaged') return foundDamage(name, rebuilt, rest);
    if (rebuilt.kind === 'left-out') return foundLeftOut(name, rebuilt.reason, rest);
    const { raw, labelIds, receivedAt, notKept } = rebuilt.message;
    const folder = labelOf(item.folder);
    const message = {
      ...{ raw, name, receivedAt, threadId: null },
      labelIds: [...new Set([...(folder === null ? [] : [folder]), ...labelIds])],
      rebuiltFrom: { format: 'pst' as const, sourceSha256: reading.sourceSha256, itemId: String(item.id) },
    };
    return foundMessage(message, { ...rest, notKept });
  }
}

/** Name of the folder that holds the folders of the mailbox. */
const TOP = 'IPM_SUBTREE';
const UNREADABLE = 'outlook-item-unreadable';

/** A data file while it is read. */
class PstReading {
  private opened: PstOpened | null = null;
  constructor(
    private readonly file: MailFile,
    readonly sourceSha256: string,
  ) {}

  get isOpen(): boolean {
    return this.opened !== null;
  }

  open(opened: PstOpened): void {
    this.opened = opened;
  }

  nameOf({ id, position, folder }: PstItem): string {
    const item = id === null ? `item ${position + 1}` : `item ${id}`;
    return this.inFile([...folder.path, item].join('/'));
  }

  /** The share of the file that is done, by the number of items. */
  progressAt(position: number): Pick<FoundItem, 'end' | 'readTo'> {
    return { end: position + 1, readTo: Math.max(1, this.opened?.items ?? 1) };
  }

  /** Damage of the file as a whole; behind its items. */
  *endingsFrom(from: number): Generator<FoundItem, void, undefined> {
    if (!this.opened) return;
    const { items, damage, unread } = this.opened;
    const names = unread.map(({ path, reason }) => `${path.join('/') || 'a folder'} (${reason})`).join('; ');
    const reason = damage ?? (names === '' ? null : `the names of folders cannot be read: ${names}`);
    const rest = { end: items + 1, readTo: null };
    if (reason === null || rest.end <= from) return;
    yield foundDamage(this.inFile('index'), { code: 'outlook-file-damaged', reason }, rest);
  }

  damageOfFile(reason: string): FoundItem {
    const end = (this.opened?.items ?? 0) + 2;
    return foundDamage(
      this.file.name ?? 'file',
      { code: 'outlook-file-unreadable', reason },
      { end, readTo: null },
    );
  }

  private inFile(name: string): string {
    return this.file.name === null ? name : `${this.file.name}/${name}`;
  }
}

function labelOf({ path, role }: PstFolder): string | null {
  if (role === 'trash' || role === 'sent') return LABEL_OF_ROLE[role];
  // An OST names no top of the mailbox: its folders lie in this one.
  const top = path.indexOf(TOP);
  return labelOfFolder(top === -1 ? path : path.slice(top + 1));
}

async function hashOf(source: ByteSource, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of source.open(0, HASH_READ)) {
    signal.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest('hex');
}
