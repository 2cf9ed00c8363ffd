import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../../platform/database/column-values';
import type { MessagePart } from '../../port/mailbox-provider.port';

/**
 * Role of a folder (RFC 6154). `user`: an ordinary folder with a label; `ignored`: a folder that shows mail of others,
 * or none.
 */
export type FolderRole = 'inbox' | 'sent' | 'drafts' | 'junk' | 'trash' | 'archive' | 'user' | 'ignored';

/**
 * Source of a folder's role: the server (RFC 6154), the folder's name, or the user. `view`: the folder was found to
 * show messages of other folders.
 */
export type FolderRoleSource = 'server' | 'name' | 'user' | 'view';

/**
 * Reasons for which the messages of a folder are not known: its name cannot be used (`name`), it cannot be opened
 * (`closed`), the server's answers about it are invalid (`answer`), or the mailbox has more folders than are read
 * (`limit`).
 */
export const FOLDER_PROBLEMS = ['name', 'closed', 'answer', 'limit'] as const;
export type FolderProblem = (typeof FOLDER_PROBLEMS)[number];

/** A folder of an IMAP mailbox, and the state up to which it has been read. */
@Entity('imap_folders')
@Index('imap_folders_path_key', ['accountId', 'path'], { unique: true })
export class ImapFolderEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** Decoded path, with levels separated by the delimiter. */
  @Column('text') path: string;
  @Column('varchar', { length: 8, nullable: true }) delimiter: string | null;
  @Column('varchar', { length: 8 }) role: FolderRole;
  @Column('varchar', { length: 8, default: 'name' }) roleSource: FolderRoleSource;
  /** Reason for which its messages are not known; null: they are read. */
  @Column('varchar', { length: 8, nullable: true }) problem: FolderProblem | null;
  @Column('timestamptz', { nullable: true }) problemAt: Date | null;
  /** Id of the folder of which it is a second name; null: it is none, or a view of several folders. */
  @Column('uuid', { nullable: true }) viewOf: string | null;
  /** UIDVALIDITY under which the server was asked whether the folder is virtual; 0: never asked. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) viewAskedIn: number;
  /** Whether the server then named a folder that was not read. It is asked again when folders become known or readable. */
  @Column('boolean', { default: false }) isViewUndecided: boolean;
  /** Id of the label that its messages have; null: none. It stays when the folder is renamed. */
  @Column('varchar', { length: 64, nullable: true }) labelId: string | null;
  /** UIDVALIDITY of the known UIDs; 0: the folder must be read anew. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) uidValidity: number;
  /**
   * UID below which all messages are known. Of a virtual folder: they lie in folders that were read; 0: not asked since
   * an upgrade.
   */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) uidNext: number;
  /** Mod-sequence (RFC 7162) up to which all changes are known. */
  @Column('text', { nullable: true }) modseq: string | null;
  @Column('integer', { default: 0 }) messageCount: number;
  @Column('integer', { default: 0 }) unseen: number;
  /** Whether the number of known messages was that of the server. */
  @Column('boolean', { default: false }) isComplete: boolean;
  /** Whether more than half of the messages seemed to vanish at once. This must be confirmed on another connection. */
  @Column('boolean', { default: false }) isSuspect: boolean;
  /** Time at which the flags of all messages were last compared, where the server does not report changes. */
  @Column('timestamptz', { nullable: true }) flagsReadAt: Date | null;
  /** Version that grows with every change that a sync writes. */
  @Column('integer', { default: 0 }) version: number;
}

/** One copy of a message in one folder. */
@Entity('imap_places')
@Index('imap_places_message_idx', ['accountId', 'messageId'])
@Index('imap_places_unread_idx', ['accountId', 'internalDate', 'uid'], { where: 'message_id IS NULL' })
@Index('imap_places_unread_new_idx', ['accountId', 'folderId', 'uid'], {
  where: 'message_id IS NULL AND NOT is_initial',
})
export class ImapPlaceEntity {
  @ForeignKey('ImapFolderEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  folderId: string;

  @PrimaryColumn('bigint', { transformer: bigintAsNumber }) uid: number;
  @Column('uuid') accountId: string;
  /** Id of the message; null until its header has been read. */
  @Column('varchar', { length: 64, nullable: true }) messageId: string | null;
  @Column('bigint', { transformer: bigintAsNumber }) size: number;
  @Column('timestamptz') internalDate: Date;
  @Column('text', { array: true }) flags: string[];
  /** Ids of labels besides that of the folder, which only Gmail has. */
  @Column('text', { array: true, default: () => "'{}'" }) labels: string[];
  /** Whether the message was there when the folder was first read. The history then has no entry for its arrival. */
  @Column('boolean', { default: false }) isInitial: boolean;
  /** Time at which the header could not be read; null: it never failed. */
  @Column('timestamptz', { nullable: true }) failedAt: Date | null;
  /** Ids of the folders from which we moved the message to the trash; null: not moved by us. */
  @Column('uuid', { array: true, nullable: true }) trashedFrom: string[] | null;
  /** Id shared by places that we have copied from one another and that the server named; null: not known to be a copy. */
  @Column('uuid', { nullable: true }) copyGroup: string | null;
}

/** Facts about a message besides its labels. They never change. */
export interface MessageFacts {
  readonly date: string;
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  readonly bcc: string;
  readonly replyTo: string;
  readonly deliveredTo: string;
  readonly listId: string;
  readonly hasAttachments: boolean;
  readonly parts: readonly MessagePart[];
  readonly listUnsubscribe: string | null;
  readonly listUnsubscribePost: string | null;
  readonly messageIdHeader: string | null;
}

/** A message, which comprises all places with the same message id. */
@Entity('imap_messages')
@Index('imap_messages_date_idx', ['accountId', 'internalDate', 'messageId'])
@Index('imap_messages_header_idx', ['accountId', 'messageIdHeader'])
@Index('imap_messages_alike_idx', { synchronize: false })
@Index('imap_messages_dirty_idx', ['accountId', 'messageId'], { where: 'is_dirty' })
export class ImapMessageEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @PrimaryColumn('varchar', { length: 64 }) messageId: string;
  @Column('varchar', { length: 64 }) threadId: string;
  @Column('timestamptz') internalDate: Date;
  @Column('bigint', { transformer: bigintAsNumber }) size: number;
  /** Labels by the last entry of the history; null: it has no entry. */
  @Column('text', { array: true, nullable: true }) labels: string[] | null;
  /** Whether its places have changed since the history's last entry. */
  @Column('boolean', { default: true }) isDirty: boolean;
  /** Whether it was there when its folder was first read. The history then has no entry for its arrival. */
  @Column('boolean', { default: false }) isInitial: boolean;
  @Column('text', { nullable: true }) messageIdHeader: string | null;
  /**
   * Id of the folder in which it lay when that was read anew with an incomplete list. Until a list is complete, it is
   * not known whether the message is gone.
   */
  @Column('uuid', { nullable: true }) hiddenIn: string | null;
  @Column('jsonb') facts: MessageFacts;
}

/** An entry of the change history of a mailbox. */
@Entity('imap_changes')
@Index('imap_changes_at_idx', ['at'])
export class ImapChangeEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @PrimaryColumn('bigint', { transformer: bigintAsNumber }) seq: number;
  @Column('varchar', { length: 64 }) messageId: string;
  @Column('varchar', { length: 64 }) threadId: string;
  @Column('varchar', { length: 8 }) kind: 'added' | 'deleted' | 'labels';
  @Column('text', { array: true }) labels: string[];
  @Column('text', { array: true }) labelsAdded: string[];
  @Column('text', { array: true }) labelsRemoved: string[];
  @Column('timestamptz', { default: () => 'now()' }) at: Date;
}

/** State of the history of a mailbox. */
@Entity('imap_sync_states')
export class ImapSyncStateEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @Column('bigint', { default: 0, transformer: bigintAsNumber }) lastSeq: number;
  /** Number before which cursors are invalid. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) floorSeq: number;
  @Column('timestamptz', { nullable: true }) syncedAt: Date | null;
  /** Time at which all folders were last asked for their figures; null: they must be asked again. */
  @Column('timestamptz', { nullable: true }) figuresAt: Date | null;
  @Column('timestamptz', { nullable: true }) cleanedAt: Date | null;
}
