import { Injectable, Logger } from '@nestjs/common';
import { Readable } from 'node:stream';
import { ResourceNotFound } from '../../common/http/domain-error';
import { MailsEncrypted } from '../archive.errors';
import { ObjectMissing } from '../store/archive-store.errors';
import { ArchiveStores } from '../store/archive-store.port';
import { closeMail, type ExportedMail, type OpenedMail } from './exported-mail';
import { ExportsRepository } from './exports.repository';
import { mboxEntry } from './mbox-writer';
import { readAhead } from './read-ahead';
import { zipOf } from './zip-writer';

/** Mails up to this size are read whole and ahead; larger ones are streamed. */
const READ_WHOLE = 512 * 1024;
const READ_AHEAD = 12;
/** Small pieces are joined before they are written: a system call per header line would cost more than the copy. */
const WRITE_CHUNK = 128 * 1024;

/** Takes mails out of the archive, in constant memory whatever their number and size. */
@Injectable()
export class MailExportsService {
  private readonly logger = new Logger(MailExportsService.name);

  constructor(
    private readonly repository: ExportsRepository,
    private readonly stores: ArchiveStores,
  ) {}

  /**
   * A ZIP of some mails with a manifest. Everything that can be wrong with the request is found before the stream
   * begins.
   * @throws ResourceNotFound when an id is unknown or of another account; MailsEncrypted
   */
  async zip(
    accountId: string,
    mailIds: readonly string[],
    options: { compress: boolean },
  ): Promise<AsyncIterable<Buffer>> {
    const ids = await this.select(accountId, mailIds);
    return zipOf(this.opened(this.repository.byIds(accountId, ids)), options);
  }

  /**
   * An mboxrd file of some or all mails, oldest first.
   * @throws ResourceNotFound, MailsEncrypted before the stream begins; ObjectMissing within it
   */
  async mbox(accountId: string, mailIds: readonly string[] | null): Promise<AsyncIterable<Buffer>> {
    if (mailIds === null) {
      if (await this.repository.hasEncrypted(accountId)) throw new MailsEncrypted();
      return inChunks(this.mboxPieces(this.repository.all(accountId)));
    }
    const ids = await this.select(accountId, mailIds);
    return inChunks(this.mboxPieces(this.repository.byIds(accountId, ids)));
  }

  private async select(accountId: string, mailIds: readonly string[]): Promise<string[]> {
    const wanted = new Set(mailIds.map((id) => id.toLowerCase()));
    const { ids, anyEncrypted } = await this.repository.findOwned(accountId, [...wanted]);
    if (ids.length !== wanted.size) throw new ResourceNotFound('mail');
    if (anyEncrypted) throw new MailsEncrypted();
    return ids;
  }

  private async *mboxPieces(mails: AsyncIterable<ExportedMail>): AsyncGenerator<Buffer> {
    for await (const opened of this.opened(mails)) {
      const { mail, content } = opened;
      // An mbox has no place to say that a message is missing: better no file than one that hides it.
      if (content === null) throw new ObjectMissing();
      try {
        yield* mboxEntry(content instanceof Readable ? content : [content], mail);
      } finally {
        closeMail(opened);
      }
    }
  }

  private opened(mails: AsyncIterable<ExportedMail>): AsyncGenerator<OpenedMail, void, undefined> {
    return readAhead(mails, (mail) => this.open(mail), READ_AHEAD, closeMail);
  }

  private async open(mail: ExportedMail): Promise<OpenedMail> {
    const store = await this.stores.named(mail.storage);
    try {
      const isSmall = mail.sizeBytes <= READ_WHOLE;
      return {
        mail,
        content: isSmall ? await store.read(mail.storageKey) : await store.get(mail.storageKey),
      };
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error;
      this.logger.error(`The file of archived mail ${mail.id} is missing`);
      return { mail, content: null };
    }
  }
}

async function* inChunks(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    gathered.push(piece);
    size += piece.length;
    if (size < WRITE_CHUNK) continue;
    yield Buffer.concat(gathered, size);
    gathered = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(gathered, size);
}
