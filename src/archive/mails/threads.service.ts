import { Injectable } from '@nestjs/common';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { offsetOf } from '../../platform/validation/page.dto';
import type { ArchivedAttachmentEntity, ArchivedMailEntity, MailPresence } from './archived-mail.entity';
import { ArchivedMailsRepository } from './archived-mails.repository';
import type { ListThreadsQuery } from './dto/archive.dto';
import type { IndexGaps } from './index-ledger/index-gaps';
import { IndexGapsRepository } from './index-ledger/index-gaps.repository';
import { mailFilter } from './mail-filter';
import { MailPresenceRepository } from './mail-presence.repository';
import { ListedThread, ThreadsRepository } from './threads.repository';

export interface ThreadMail {
  readonly mail: ArchivedMailEntity;
  readonly presence: MailPresence | null;
  readonly attachments: readonly ArchivedAttachmentEntity[];
}

/** Archived mails grouped into conversations. */
@Injectable()
export class ThreadsService {
  constructor(
    private readonly threads: ThreadsRepository,
    private readonly mails: ArchivedMailsRepository,
    private readonly gaps: IndexGapsRepository,
    private readonly presences: MailPresenceRepository,
  ) {}

  /** A page of threads; with the mails that a search for words may miss. */
  async list(
    accountId: string,
    query: ListThreadsQuery,
  ): Promise<{ threads: ListedThread[]; total: number; gaps: IndexGaps | null }> {
    const range = { limit: query.limit, offset: offsetOf(query) };
    const [page, gaps] = await Promise.all([
      this.threads.findPage(accountId, mailFilter(query), range),
      query.q ? this.gaps.count(accountId) : null,
    ]);
    return { ...page, gaps };
  }

  /** The mails of a thread, oldest first, with their attachments. @throws ResourceNotFound */
  async read(accountId: string, threadId: string): Promise<ThreadMail[]> {
    const mails = threadId.includes('\0') ? [] : await this.threads.mailsOf(accountId, threadId);
    if (mails.length === 0) throw new ResourceNotFound('thread');
    const attachments = new Map<string, ArchivedAttachmentEntity[]>(mails.map(({ id }) => [id, []]));
    const found = await this.mails.attachmentsOf(accountId, [...attachments.keys()]);
    for (const attachment of found) attachments.get(attachment.mailId)?.push(attachment);
    const presences = await this.presences.findPresences(accountId, [...attachments.keys()]);
    return mails.map((mail) => ({
      mail,
      presence: presences.get(mail.id) ?? null,
      attachments: attachments.get(mail.id) ?? [],
    }));
  }
}
