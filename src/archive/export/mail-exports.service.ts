import { Injectable } from '@nestjs/common';
import { ResourceNotFound } from '../../common/http/domain-error';
import { MailsEncrypted } from '../archive.errors';
import { MailDeletedMeanwhile } from './export.errors';
import type { WantedMail } from './exported-mail';
import { ExportsRepository } from './exports.repository';
import { inChunks } from './in-chunks';
import { MailContents } from './mail-contents';
import { mboxOf } from './mbox-writer';
import { zipOf } from './zip-writer';

/** Takes mails out of the archive, in constant memory whatever their number and size. */
@Injectable()
export class MailExportsService {
  constructor(
    private readonly repository: ExportsRepository,
    private readonly contents: MailContents,
  ) {}

  /**
   * A ZIP of some mails with a manifest, which names those deleted meanwhile as missing. Everything that can be wrong with the request is found before the stream
   * begins.
   * @throws ResourceNotFound when an id is unknown or of another account; MailsEncrypted
   */
  async zip(
    accountId: string,
    mailIds: readonly string[],
    options: { compress: boolean },
  ): Promise<AsyncIterable<Buffer>> {
    const mails = await this.select(accountId, mailIds);
    const deleted: WantedMail[] = [];
    const pages = this.repository.named(accountId, mails, (mail) => deleted.push(mail));
    return inChunks(zipOf(this.contents.read(pages), { ...options, deleted }));
  }

  /**
   * An mboxrd file of some or all mails, oldest first. Of all, those deleted before their turn are no part any more.
   * @throws ResourceNotFound, MailsEncrypted before the stream begins; ObjectMissing, MailAltered,
   *   MailDeletedMeanwhile within it
   */
  async mbox(accountId: string, mailIds: readonly string[] | null): Promise<AsyncIterable<Buffer>> {
    if (mailIds === null) {
      if (await this.repository.hasEncrypted(accountId)) throw new MailsEncrypted();
      return inChunks(mboxOf(this.contents.read(this.repository.all(accountId))));
    }
    const mails = await this.select(accountId, mailIds);
    const pages = this.repository.named(accountId, mails, ({ id }) => {
      throw new MailDeletedMeanwhile(id);
    });
    return inChunks(mboxOf(this.contents.read(pages)));
  }

  private async select(accountId: string, mailIds: readonly string[]): Promise<WantedMail[]> {
    const wanted = new Set(mailIds.map((id) => id.toLowerCase()));
    const { mails, anyEncrypted } = await this.repository.findOwned(accountId, [...wanted]);
    if (mails.length !== wanted.size) throw new ResourceNotFound('mail');
    if (anyEncrypted) throw new MailsEncrypted();
    return mails;
  }
}
