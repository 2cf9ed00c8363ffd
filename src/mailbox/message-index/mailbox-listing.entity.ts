import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/**
 * What a run that reconciles the index with the mailbox has listed so far: which messages there are and, label by
 * label, which of them carry it. Removed with the end of the run.
 */
@Entity('mailbox_listings')
export class MailboxListingEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** Keeps apart what was listed at different times. */
  @PrimaryColumn('varchar', { length: 64 }) run: string;
  @PrimaryColumn('varchar', { length: 64 }) messageId: string;
  /** Empty: the message exists and is neither spam nor trash. */
  @PrimaryColumn('varchar', { length: 255 }) labelId: string;
  @Column('timestamptz', { default: () => 'now()' }) listedAt: Date;
}
