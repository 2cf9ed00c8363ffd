import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * The review of what was archived by IMAP before bytes were compared with their message. Accounts of that time have a row,
 * made by the migration; later ones need none.
 */
@Entity('imap_copy_reviews')
export class ImapCopyReviewEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Start of the review. Mail that was archived later was compared when it came. */
  @Column('timestamptz', { default: () => 'now()' }) begunAt: Date;
  /** Mails up to this one have been reviewed, in the order of date and id. */
  @Column('timestamptz', { nullable: true }) cursorDate: Date | null;
  @Column('uuid', { nullable: true }) cursorId: string | null;
  @Column('integer', { default: 0 }) checked: number;
  /** Copies that are not the whole message of their id. */
  @Column('integer', { default: 0 }) suspects: number;
  /** Suspects that were fetched anew, or that the mailbox confirmed. */
  @Column('integer', { default: 0 }) restored: number;
  /** Steps that ended at this place although the mailbox answered. They stay while messages there are not handed out. */
  @Column('integer', { default: 0 }) attempts: number;
  @Column('timestamptz', { nullable: true }) finishedAt: Date | null;
}
