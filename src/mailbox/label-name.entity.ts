import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The name of a mailbox's label when it was last listed. It outlives the label, and the connection of the mailbox. */
@Entity('label_names')
export class LabelNameEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** The provider's. */
  @PrimaryColumn('text') labelId: string;
  @Column('text') name: string;
}
