import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../../platform/database/column-values';
import type { MessagePart } from '../../port/mailbox-provider.port';

/** What a folder is for (RFC 6154). `user`: a label of its own; `ignored`: shows mail of other folders, or none. */
export type FolderRole = 'inbox' | 'sent' | 'drafts' | 'junk' | 'trash' | 'archive' | 'user' | 'ignored';

/**
 * Who says what a folder is for: the server (RFC 6154), the folder's name, or the user. `view`: it shows messages of other
 * folders, as was found out.
 */
export type FolderRoleSource = 'server' | 'name' | 'user' | 'view';

/**
 * Why the messages of a folder are not known: its name cannot be used, it cannot be opened, the server answers nonsense
 * about it, or the mailbox has more folders than are read.
 */
export const FOLDER_PROBLEMS = ['name', 'closed', 'answer', 'limit'] as const;
export type FolderProblem = (typeof FOLDER_PROBLEMS)[number];

/** A folder of an IMAP mailbox, and how far it has been read. */
@Entity('imap_folders')
@Index('imap_folders_path_key', ['accountId', 'path'], { unique: true })
export class ImapFolderEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** As people read it, levels parted by the delimiter. */
  @Column('text') path: string;
  @Column('varchar', { length: 8, nullable: true }) delimiter: string | null;
  @Column('varchar', { length: 8 }) role: FolderRole;
  @Column('varchar', { length: 8, default: 'name' }) roleSource: FolderRoleSource;
  /** Null: its messages are read. */
  @Column('varchar', { length: 8, nullable: true }) problem: FolderProblem | null;
  @Column('timestamptz', { nullable: true }) problemAt: Date | null;
  /** The folder of which it is a second name; null: none, or a view of several. */
  @Column('uuid', { nullable: true }) viewOf: string | null;
  /** The UIDVALIDITY under which the server was asked whether it is a virtual folder; 0: never. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) viewAskedIn: number;
  /** The server then named a folder that was not read: it is asked again when folders come to be known or readable. */
  @Column('boolean', { default: false }) isViewUndecided: boolean;
  /** The label that its messages have; null: none. Kept when the folder is renamed. */
  @Column('varchar', { length: 64, nullable: true }) labelId: string | null;
  /** 0: never read. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) uidValidity: number;
  /** All messages with smaller UIDs are known. Of a virtual folder: they lie in folders that were read; 0: not asked since an upgrade. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) uidNext: number;
  /** RFC 7162: all changes up to here are known. */
  @Column('text', { nullable: true }) modseq: string | null;
  @Column('integer', { default: 0 }) messageCount: number;
  @Column('integer', { default: 0 }) unseen: number;
  /** Whether our count was that of the server. */
  @Column('boolean', { default: false }) isComplete: boolean;
  /** More than half of it seemed to vanish at once: believed only if another connection sees the same. */
  @Column('boolean', { default: false }) isSuspect: boolean;
  /** When the flags of all messages were last compared, where the server does not report changes. */
  @Column('timestamptz', { nullable: true }) flagsReadAt: Date | null;
  /** Grows with every change that a sync writes. */
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
  /** Null until its header has been read. */
  @Column('varchar', { length: 64, nullable: true }) messageId: string | null;
  @Column('bigint', { transformer: bigintAsNumber }) size: number;
  @Column('timestamptz') internalDate: Date;
  @Column('text', { array: true }) flags: string[];
  /** Labels beside that of the folder, by their ids: only Gmail has them. */
  @Column('text', { array: true, default: () => "'{}'" }) labels: string[];
  /** It was there when the folder was first read: nobody is told that it was added. */
  @Column('boolean', { default: false }) isInitial: boolean;
  /** The header could not be read then. */
  @Column('timestamptz', { nullable: true }) failedAt: Date | null;
  /** The folders that the message was taken from when we moved it to the trash. */
  @Column('uuid', { array: true, nullable: true }) trashedFrom: string[] | null;
  /** The same for places that we have copied from one another, each named by the server as a message of its own. */
  @Column('uuid', { nullable: true }) copyGroup: string | null;
}

/** What is known of a message besides its labels; it never changes. */
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

/** A message: all places with the same id. */
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
  /** As the history last told them; null: not at all. */
  @Column('text', { array: true, nullable: true }) labels: string[] | null;
  /** Its places have changed since. */
  @Column('boolean', { default: true }) isDirty: boolean;
  /** It was there when its folder was first read: the history does not tell that it was added. */
  @Column('boolean', { default: false }) isInitial: boolean;
  @Column('text', { nullable: true }) messageIdHeader: string | null;
  /** It lay in this folder when that was read anew, and the list was not whole: until one is, nobody knows whether it is gone. */
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

/** Where the history of a mailbox stands. */
@Entity('imap_sync_states')
export class ImapSyncStateEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @Column('bigint', { default: 0, transformer: bigintAsNumber }) lastSeq: number;
  /** Cursors before this one are no longer answered. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) floorSeq: number;
  @Column('timestamptz', { nullable: true }) syncedAt: Date | null;
  /** When all folders were last asked for their figures; null: they have to be asked again. */
  @Column('timestamptz', { nullable: true }) figuresAt: Date | null;
  @Column('timestamptz', { nullable: true }) cleanedAt: Date | null;
}
