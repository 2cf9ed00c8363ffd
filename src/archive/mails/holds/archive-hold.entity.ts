import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * A mail whose message is being moved out of the mailbox: it is neither deleted nor replaced meanwhile. Ends with the
 * message's turn, or with the mail.
 */
@Entity('archive_holds')
@Index('archive_holds_plan_idx', ['planId'])
export class ArchiveHoldEntity {
  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  mailId: string;

  /** Id of the offload plan that holds the mail. */
  @Column('uuid') planId: string;
}
