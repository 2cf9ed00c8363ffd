import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../platform/access/audit-trail.port';
import type { MailSelectionDto } from '../../mails/dto/mail-selection.dto';
import { MailSelectionsService } from '../../mails/selections/mail-selections.service';
import { StoredMails, type StoredMail } from '../../mails/stored-mails';
import { PassphrasesService } from '../../passphrases/passphrases.service';
import { LabelNames } from '../../../mailbox/labels/label-names';
import { ExportKeys } from '../export-keys';
import { ExportMailReader } from '../export-mail-reader';
import { ExportedMailPages } from '../exported-mail-pages';
import type { WantedMail } from '../exported-mail';
import { type Exporter, joinChunks } from '../mail-exports.service';
import { ZipThread } from '../zip-thread';
import { namedLabels, type NamedLabels } from './maildir-names';
import { type MailboxFormat, mailboxZip } from './mailbox-zip';

const NO_LABELS: NamedLabels = { system: [], names: [] };

/** Exports archived mails as a mailbox that other programs read. */
@Injectable()
export class MailboxExportsService {
  constructor(
    private readonly selections: MailSelectionsService,
    private readonly mails: StoredMails,
    private readonly pages: ExportedMailPages,
    private readonly contents: ExportMailReader,
    private readonly passphrases: PassphrasesService,
    private readonly names: LabelNames,
    private readonly audit: AuditTrail,
    private readonly thread: ZipThread,
  ) {}

  /**
   * Exports selected mails as a ZIP. The request is validated completely before the stream begins.
   * @throws ValidationFailed, ResourceNotFound, TooManyMails; MailsEncrypted, PassphraseInvalid, TooManyRequests
   */
  async zip(
    { userId, accountId, passphrase }: Exporter,
    selection: MailSelectionDto,
    format: MailboxFormat,
  ): Promise<AsyncIterable<Buffer>> {
    await this.selections.check(accountId, selection, 'select');
    const selected = await this.selections.find(accountId, selection);
    const keys = new ExportKeys(this.passphrases, userId, passphrase);
    if (selected.some(({ isEncrypted }) => isEncrypted)) await keys.require();
    const ids = selected.map(({ id }) => id);
    const wanted = await this.mails.findNames(accountId, ids);
    const names = await this.names.namesOf(accountId);
    await this.audit.record({
      action: 'mails.exported',
      userId,
      accountId,
      details: { format, count: wanted.length },
    });
    const deleted: WantedMail[] = [];
    const labels = new Map<string, NamedLabels>();
    const note = (mail: StoredMail): void => {
      labels.set(mail.id, namedLabels(mail.labelIds, names));
    };
    const pages = visitMails(
      this.pages.pagesOf(accountId, wanted, (mail) => deleted.push(mail)),
      note,
    );
    const labelsOf = (mailId: string): NamedLabels => {
      const found = labels.get(mailId) ?? NO_LABELS;
      labels.delete(mailId);
      return found;
    };
    return joinChunks(mailboxZip(this.contents.read(pages, keys), this.thread, format, labelsOf, deleted));
  }
}

async function* visitMails(
  pages: AsyncIterable<StoredMail[]>,
  note: (mail: StoredMail) => void,
): AsyncGenerator<StoredMail[]> {
  for await (const page of pages) {
    page.forEach(note);
    yield page;
  }
}
