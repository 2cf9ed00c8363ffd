import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import type { DocumentPage } from '../../../platform/documents/document-text';
import { ArchivedAttachmentPageEntity } from '../archived-mail.entity';
import { nullableText, storableText } from '../writing/mail-to-archive';
import type { AttachedWords } from './index-attached-text.task';

/** Pages of attachments, in transactions that have locked the account's archive. */
@Injectable()
export class AttachmentPagesRepository extends BaseRepository<ArchivedAttachmentPageEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedAttachmentPageEntity);
  }

  /** Whether an attachment has pages of the same texts. */
  async isKnown(
    accountId: string,
    attachmentId: string,
    pages: readonly DocumentPage[],
    transaction: Transaction,
  ): Promise<boolean> {
    const [known] = await this.queryRows(
      { digest: column.nullable(column.text) },
      `SELECT md5(string_agg(text, E'\n' ORDER BY number)) AS digest FROM archived_attachment_pages
        WHERE account_id = $1 AND attachment_id = $2 AND text <> ''`,
      [accountId, attachmentId],
      transaction,
    );
    const texts = pages.map(({ text }) => storableText(text)).filter((text) => text !== '');
    const digest = createHash('md5').update(texts.join('\n')).digest('hex');
    return known?.digest === (texts.length === 0 ? null : digest);
  }

  /** Replaces the pages of an attachment. */
  async replace(
    accountId: string,
    { id, mail }: { readonly id: string; readonly mail: { readonly id: string } },
    { pages, words }: { readonly pages: readonly DocumentPage[]; readonly words: AttachedWords },
    transaction: Transaction,
  ): Promise<void> {
    await this.executeAndCount(
      'DELETE FROM archived_attachment_pages WHERE account_id = $1 AND attachment_id = $2',
      [accountId, id],
      transaction,
    );
    const rows = pages.flatMap((page, number) =>
      words.pages[number]!.map((vector, part) => ({
        ...page,
        number,
        text: part === 0 ? page.text : '',
        vector,
      })),
    );
    if (rows.length === 0) return;
    await this.execute(
      `INSERT INTO archived_attachment_pages (id, account_id, mail_id, attachment_id, number, member, kind, name, text, words)
       SELECT gen_random_uuid(), $1, $2, $3, t.number, t.member, t.kind, t.name, t.text, t.words::tsvector
         FROM unnest($4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
           AS t (number, member, kind, name, text, words)`,
      [
        accountId,
        mail.id,
        id,
        rows.map(({ number }) => number),
        rows.map(({ member }) => nullableText(member)),
        rows.map(({ kind }) => kind),
        rows.map(({ name }) => nullableText(name)),
        rows.map(({ text }) => storableText(text)),
        rows.map(({ vector }) => storableText(vector)),
      ],
      transaction,
    );
  }

  /** Removes the pages of all attachments of mails. */
  async removeOfMails(
    accountId: string,
    mailIds: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    await this.executeAndCount(
      'DELETE FROM archived_attachment_pages WHERE account_id = $1 AND mail_id = ANY (ARRAY(SELECT unnest($2::uuid[])))',
      [accountId, mailIds],
      transaction,
    );
  }

  /** Removes the pages of attachments of mails whose content is another one by now. */
  async removeOutdated(
    accountId: string,
    mailIds: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    await this.executeAndCount(
      `DELETE FROM archived_attachment_pages p USING archived_attachments a
        WHERE p.account_id = $1 AND p.mail_id = ANY (ARRAY(SELECT unnest($2::uuid[])))
          AND a.id = p.attachment_id AND a.account_id = $1 AND a.content_sha256 IS NULL`,
      [accountId, mailIds],
      transaction,
    );
  }
}
