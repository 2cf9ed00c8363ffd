import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The name of a mailbox's label when it was last listed. It outlives the label, and the connection of the mailbox. */
@Entity('label_names')
export class LabelNameEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  /** The provider's id of the label. */
  @PrimaryColumn('text') labelId: string;
  @Column('text') name: string;
  /** `user`, or `system` for labels of the provider. */
  @Column('varchar', { length: 16, default: 'user' }) type: string;
  /** Time at which the label was found missing; null: it existed when labels were last listed. */
  @Column('timestamptz', { nullable: true }) goneAt: Date | null;
}
