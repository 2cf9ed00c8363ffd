import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { storableJson } from '../../../platform/database/column-values';
import { column } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import { envelopeWords, isSameEnvelope, type MailEnvelope, mergeEnvelopes } from '../mail-envelope';
import { headerOf, OF_THE_WANTED_HEADER } from './duplicates.repository';
import { PassagesRepository } from './passages.repository';
import type { ExistingMail, NewArchivedMail, RecognisedMail } from './mail-to-archive';

/** Envelopes of copied mail, which the mailbox may have as well. */
@Injectable()
export class EnvelopesRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(
    dataSource: DataSource,
    private readonly passages: PassagesRepository,
  ) {
    super(dataSource, ArchivedMailEntity);
  }

  /**
   * Adds envelopes to archived mails. Adding one again changes nothing.
   * @param mails those without an envelope, or without a name, are passed over
   * @param transaction has locked the account's archive
   */
  async add(accountId: string, mails: readonly RecognisedMail[], transaction: Transaction): Promise<void> {
    const added = new Map<string, MailEnvelope>();
    for (const { name, envelope } of mails) {
      if (name === null || !envelope) continue;
      const before = added.get(name);
      added.set(name, before ? mergeEnvelopes(before, envelope) : envelope);
    }
    if (added.size === 0) return;
    const found = await this.queryRows(
      {
        id: column.text,
        name: column.text,
        envelope: column.nullable(column.json<MailEnvelope>()),
      },
      `SELECT m.id, wanted.name, m.envelope FROM unnest($2::text[]) AS wanted (name)
        CROSS JOIN LATERAL (
          SELECT id, envelope FROM archived_mails WHERE account_id = $1 AND mailbox_message_id = wanted.name LIMIT 1
        ) m`,
      [accountId, [...added.keys()]],
      transaction,
    );
    const changed = found.flatMap(({ id, name, envelope }) => {
      const now = envelope ? mergeEnvelopes(envelope, added.get(name)!) : added.get(name)!;
      return envelope && isSameEnvelope(envelope, now) ? [] : [{ id, envelope: now }];
    });
    if (changed.length === 0) return;
    await this.execute(
      `UPDATE archived_mails m SET envelope = t.envelope
         FROM jsonb_to_recordset($2::jsonb) AS t (id uuid, envelope jsonb) WHERE m.account_id = $1 AND m.id = t.id`,
      [accountId, storableJson(changed)],
      transaction,
    );
    await this.passages.addFurther(
      accountId,
      changed.map(({ id, envelope }) => ({ mailId: id, words: envelopeWords(envelope) })),
      transaction,
    );
  }

  /**
   * Finds mails that were copied to Mailroom, have the Message-ID and content of some mails, and no message of the mailbox.
   * @returns one for each of the given mails that has one, by message id; none is there for two of them
   */
  async findCopied(accountId: string, mails: readonly NewArchivedMail[]): Promise<Map<string, ExistingMail>> {
    const identified = mails.filter((entry) => headerOf(entry) !== null);
    if (identified.length === 0) return new Map();
    const rows = await this.queryRows(
      COPIED_ROW,
      `SELECT DISTINCT ON (found.id) found.*, wanted.name
         FROM unnest($2::text[], $3::text[], $4::text[]) AS wanted (name, header, content_mac)
        CROSS JOIN LATERAL (
          SELECT m.id, m.thread_id, coalesce(m.received_at, m.date) AS received_at, m.size_bytes, m.sha256, m.storage,
                 m.storage_key
            FROM archived_mails m
           WHERE ${OF_THE_WANTED_HEADER}
             AND hashtextextended(m.content_mac, 0) = hashtextextended(wanted.content_mac, 0)
             AND m.content_mac = wanted.content_mac
             AND m.envelope IS NOT NULL AND NOT m.is_encrypted AND m.mailbox_message_id ~ '^(<|sha256:|message-id:)'
           LIMIT 1
        ) AS found
        ORDER BY found.id, wanted.name`,
      [
        accountId,
        identified.map(({ mail }) => mail.messageId),
        identified.map(headerOf),
        identified.map(({ contentMac }) => contentMac),
      ],
    );
    return new Map(
      rows.map((row) => [
        row.name,
        {
          id: row.id,
          messageId: row.name,
          threadId: row.thread_id,
          receivedAt: row.received_at,
          sizeBytes: Number(row.size_bytes),
          sha256: row.sha256,
          storage: row.storage,
          storageKey: row.storage_key,
          isEncrypted: false,
        },
      ]),
    );
  }
}

const COPIED_ROW = {
  id: column.text,
  name: column.text,
  thread_id: column.text,
  received_at: column.date,
  size_bytes: column.text,
  sha256: column.text,
  storage: column.text,
  storage_key: column.text,
};
