import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../platform/database/column-values';
import type { PlaceKind } from '../../platform/documents/document-text';
import type { MailEnvelope } from './mail-envelope';
import type { RebuiltFrom } from './rebuilt-from';
import { IS_OUTDATED, type ReaderProblem } from './rereading/reader-version';
import type { DateSource } from './writing/archive-dates';

/** In the mailbox, in its trash, or deleted there for good. */
export const MAIL_PRESENCES = ['mailbox', 'trash', 'gone'] as const;
export type MailPresence = (typeof MAIL_PRESENCES)[number];

/** An archived message. Its row is inserted after its EML file and deleted before it. */
@Entity('archived_mails')
@Index('archived_mails_account_message_key', ['accountId', 'mailboxMessageId'], { unique: true })
@Index('archived_mails_account_thread_idx', ['accountId', 'threadId', 'date', 'id'])
@Index('archived_mails_account_date_idx', ['accountId', 'date', 'id'])
@Index('archived_mails_account_id_idx', ['accountId', 'id'])
@Index('archived_mails_outdated_idx', ['accountId', 'id'], { where: IS_OUTDATED })
@Index('archived_mails_text_state_idx', ['accountId', 'textState', 'id'], {
  where: "text_state <> 'indexed'",
})
@Index('archived_mails_encrypted_idx', ['accountId', 'id'], { where: 'is_encrypted' })
@Index('archived_mails_account_archived_at_idx', ['accountId', 'archivedAt'])
@Index('archived_mails_account_size_idx', ['accountId', 'sizeBytes', 'date', 'id'])
@Index('archived_mails_account_subject_idx', { synchronize: false })
@Index('archived_mails_account_labels_idx', { synchronize: false })
@Index('archived_mails_user_idx', ['userId'])
@Index('archived_mails_sender_date_idx', { synchronize: false })
@Index('archived_mails_message_id_header_idx', { synchronize: false })
@Index('archived_mails_absent_idx', { synchronize: false })
@Index('archived_mails_anonymous_sha256_idx', ['accountId', 'sha256'], { where: 'message_id_header IS NULL' })
export class ArchivedMailEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** The provider's id; for an imported mail its Message-ID, with `#2`, `#3` … for further ones, or `sha256:<hex>`. */
  @Column('text') mailboxMessageId: string;
  @Column('text') threadId: string;
  /** RFC 5322 Message-ID with angle brackets. */
  @Column('text', { nullable: true }) messageIdHeader: string | null;
  @Column('text') subject: string;
  @Column('text') sender: string;
  @Column('text') recipient: string;
  /** The date that lists, months, search and exports use: see `chooseDates`. */
  @Column('timestamptz') date: Date;
  /** The arrival; null: archived by an earlier version, and the header has not been read since. */
  @Column('timestamptz', { nullable: true }) receivedAt: Date | null;
  /** The source of the date; null: not known, as for such mail when it is encrypted. */
  @Column('varchar', { length: 8, nullable: true }) dateSource: DateSource | null;
  @Column('timestamptz', { default: () => 'now()' }) archivedAt: Date;
  @Column('bigint', { transformer: bigintAsNumber }) sizeBytes: number;
  @Column('boolean') hasAttachments: boolean;
  @Column('text', { array: true }) labelIds: string[];
  /** IMAP flags that no label stands for, as they were when it was archived: keywords, and `\Answered`. */
  @Column('text', { array: true, default: () => "'{}'" }) keywords: string[];
  @Column('text') snippet: string;
  @Column('text', { nullable: true }) inReplyTo: string | null;
  @Column('text', { nullable: true }) referencesHeader: string | null;
  /** The store of the file: `local`, or the id of a storage configuration. */
  @Column('varchar', { length: 64 }) storage: string;
  @Column('text') storageKey: string;
  /** SHA-256 of the stored bytes, 64 hex digits. */
  @Column('char', { length: 64 }) sha256: string;
  /** SHA-256 of the plain message of an encrypted mail, 64 hex digits; null: the mail is plain (see `sha256`), or not known. */
  @Column('char', { length: 64, nullable: true }) contentSha256: string | null;
  /** Equal in the account for mails of the same content (`ContentMacs`); null when it was archived without. */
  @Column('text', { nullable: true, select: false }) contentMac: string | null;
  @Column('boolean', { default: false }) isEncrypted: boolean;
  /**
   * Where its message is, as the coverage ledger saw it last. A message that is gone never comes back; of the others only the
   * ledger's row tells whether this still holds (`presenceOf`). Null: never told.
   */
  @Column('varchar', { length: 8, nullable: true }) presence: MailPresence | null;
  /** The plan by which its message was moved to the trash; null: none. */
  @Column('uuid', { nullable: true }) offloadPlanId: string | null;
  /**
   * The archive was restored from a backup, and since then the message was not seen in the mailbox outside of the trash: an
   * offload that the backup does not know may have moved it. Such a copy is kept as that of an offloaded message is.
   */
  @Column('boolean', { default: false }) mayBeOffloaded: boolean;
  /** Descriptions of the parts that could not be parsed; the raw message is complete nevertheless. */
  @Column('text', { array: true, default: () => "'{}'" }) defects: string[];
  /** The version of the reader that has read it (`READER_VERSION`); 0: one that did not say so. */
  @Column('smallint', { default: 0 }) readerVersion: number;
  /** Why that version could not read it, so that its row has the facts of an earlier one, or none; null: it has read it. */
  @Column('varchar', { length: 16, nullable: true }) readerProblem: ReaderProblem | null;
  /** State of its own text, without attachments, as `readerVersion` has left it; encrypted mail keeps the one that it had. */
  @Column('varchar', { length: 9, default: 'indexed' }) textState: MailTextState;
  /** Null: the bytes are those that the source had. */
  @Column('jsonb', { nullable: true }) rebuiltFrom: RebuiltFrom | null;
  /** The envelopes under which it arrived as copied mail; null: it did not. */
  @Column('jsonb', { nullable: true }) envelope: MailEnvelope | null;
}

/** The search vector of a mail, in a separate table so that counting matches reads few pages. */
@Entity('archived_mail_words')
@Index('archived_mail_words_search_idx', { synchronize: false })
export class ArchivedMailWordsEntity {
  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  mailId: string;

  @Column('uuid') accountId: string;
  @Column('timestamptz') date: Date;
  @Column('boolean') hasAttachments: boolean;
  /** Weighted words, see `archive/search`. */
  @Column('tsvector', { select: false }) words: string;
  /** Blanks that make PostgreSQL store `words` outside the row; it is written again (DEFAULT) with every change of `words`. */
  @Column('text', { select: false, default: () => "repeat(' ', 2048)" }) padding: string;
}

/** Some of the words of a long mail, whose row in `archived_mail_words` has none. */
@Entity('archived_mail_passages')
@Index('archived_mail_passages_search_idx', { synchronize: false })
@Index('archived_mail_passages_mail_id_idx', ['mailId'])
export class ArchivedMailPassageEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  mailId: string;

  @Column('uuid') accountId: string;
  /** Weighted words, see `archive/search`. */
  @Column('tsvector', { select: false }) words: string;
}

/** The position of an attachment in its EML; there is no second copy of the bytes. */
@Entity('archived_attachments')
@Index('archived_attachments_mail_id_idx', ['mailId'])
@Index('archived_attachments_account_size_idx', ['accountId', 'sizeBytes', 'id'], { where: 'NOT is_inline' })
@Index('archived_attachments_account_idx', { synchronize: false })
@Index('archived_attachments_waiting_idx', ['accountId', 'mailId', 'id'], {
  where: "text_state = 'waiting' AND text_reason IS DISTINCT FROM 'pictures'",
})
@Index('archived_attachments_pictures_idx', ['accountId', 'textState', 'mailId', 'id'], {
  where: "text_reason = 'pictures'",
})
@Index('archived_attachments_text_state_idx', ['accountId', 'textState', 'mailId', 'id'])
@Index('archived_attachments_sha256_idx', ['accountId', 'contentSha256'], {
  where: 'content_sha256 IS NOT NULL',
})
export class ArchivedAttachmentEntity {
  /** A UUID version 7 of the date that the mail had when it was archived, so that the index is ordered by date. */
  @PrimaryColumn('uuid') id: string;
  /** The id as it would be of the mail's present date, if that changed since: lists are ordered by it. Links keep the id. */
  @Column('uuid', { nullable: true }) datedId: string | null;

  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  mailId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** IMAP-style section number, e.g. `2.1`. */
  @Column('varchar', { length: 255 }) partId: string;
  @Column('text') filename: string;
  @Column('varchar', { length: 255 }) mimeType: string;
  /** Size of the decoded content in bytes. */
  @Column('bigint', { transformer: bigintAsNumber }) sizeBytes: number;
  /** Byte range of the encoded body in the EML, end exclusive. */
  @Column('bigint', { transformer: bigintAsNumber }) bodyStart: number;
  @Column('bigint', { transformer: bigintAsNumber }) bodyEnd: number;
  @Column('varchar', { length: 32 }) encoding: string;
  @Column('text', { nullable: true }) contentId: string | null;
  @Column('boolean', { default: false }) isInline: boolean;
  /**
   * It lies in a wrapping, such as winmail.dat or signed content, which is opened on every read (`ContainedPartReader`); range and
   * encoding are those of the wrapping.
   */
  @Column('boolean', { default: false }) isContained: boolean;
  /** Its name and the mail's subject and sender, folded (`foldText`), a line each. */
  @Column('text', { default: '' }) searchText: string;
  /** State of its text, see `AttachedTextsService`. */
  @Column('varchar', { length: 9, default: 'waiting' }) textState: AttachedTextState;
  /**
   * Why not all of its text could be read; null: it could, or it is not known yet. `pictures`: the text of pictures in it has not been
   * recognized; without recognition that is its last state.
   */
  @Column('varchar', { length: 16, nullable: true }) textReason: string | null;
  /** Readings that have begun and not ended well. */
  @Column('smallint', { default: 0 }) textAttempts: number;
  /** Whether the words of the mail have those of its text. */
  @Column('boolean', { default: false }) isInWords: boolean;
  /** SHA-256 of the decoded content; null: not known, or the mail is encrypted. */
  @Column('bytea', { nullable: true, select: false }) contentSha256: Buffer | null;
}

/** States of the text of a mail that was read. */
export const MAIL_TEXT_STATES = ['indexed', 'nothing', 'too-large', 'failed'] as const;
export type MailTextState = (typeof MAIL_TEXT_STATES)[number];

/** States of the text of an attachment. */
export const ATTACHED_TEXT_STATES = [
  'waiting',
  'indexed',
  'nothing',
  'encrypted',
  'too-large',
  'failed',
] as const;
export type AttachedTextState = (typeof ATTACHED_TEXT_STATES)[number];

/** Text of a page, slide, sheet or file of an attachment. A long text has further rows, which have words only. */
@Entity('archived_attachment_pages')
@Index('archived_attachment_pages_search_idx', { synchronize: false })
@Index('archived_attachment_pages_attachment_idx', ['attachmentId', 'number'])
@Index('archived_attachment_pages_mail_idx', ['mailId'])
export class ArchivedAttachmentPageEntity {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;

  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  mailId: string;

  @ForeignKey('ArchivedAttachmentEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  attachmentId: string;

  /** Place in the attachment, from 0 on. */
  @Column('integer') number: number;
  /** Path of the file within archives and messages; null: the attachment itself. */
  @Column('text', { nullable: true }) member: string | null;
  /** `page`, `slide` or `sheet`; null: the text has no pages. */
  @Column('varchar', { length: 5, nullable: true }) kind: PlaceKind | null;
  /** Number of the page or slide, or name of the sheet. */
  @Column('text', { nullable: true }) name: string | null;
  @Column('text', { select: false }) text: string;
  @Column('tsvector', { select: false }) words: string;
}

/**
 * Exact counts of an account's archive. Kept by triggers on `archived_mails` and
 * `archived_attachments`; never written by the application.
 */
@Entity('archive_totals')
export class ArchiveTotalsEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @Column('integer') mails: number;
  @Column('bigint', { transformer: bigintAsNumber }) bytes: number;
  @Column('integer') withAttachments: number;
  @Column('integer') encrypted: number;
  @Column('integer') threads: number;
  /** Number of attached files, without images shown inside the text. */
  @Column('integer', { default: 0 }) attachments: number;
  /** Size of the decoded content in bytes. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) attachmentBytes: number;
}

/** Totals of one sender in an account's archive. Kept by triggers on `archived_mails`; never written by the application. */
@Entity('archived_senders')
@Index('archived_senders_account_mails_idx', ['accountId', 'mails'])
export class ArchivedSenderEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Lower-case; the whole From header when it has no address. */
  @PrimaryColumn('varchar', { length: 320 }) address: string;
  /** From line of the sender's newest mail. */
  @Column('text') sender: string;
  @Column('timestamptz') latestDate: Date;
  @Column('integer') mails: number;
  @Column('bigint', { transformer: bigintAsNumber }) bytes: number;
}

/**
 * A From line of an account's archive, as the mails have it. Kept by triggers on `archived_mails`; never written by the
 * application.
 */
@Entity('archived_sender_names')
@Index('archived_sender_names_sender_idx', { synchronize: false })
export class ArchivedSenderNameEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** A hash of the line: `archived_sender_key(sender)`, by which `archived_mails` is indexed. */
  @PrimaryColumn('uuid') senderKey: string;
  @Column('text') sender: string;
  @Column('integer') mails: number;
}

/** A conversation of the archive. Kept by triggers on `archived_mails`; never written by the application. */
@Entity('archived_threads')
@Index('archived_threads_account_date_idx', ['accountId', 'latestDate', 'threadId'])
export class ArchivedThreadEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @PrimaryColumn('text') threadId: string;
  @Column('timestamptz') latestDate: Date;
  @Column('integer') messageCount: number;
}
