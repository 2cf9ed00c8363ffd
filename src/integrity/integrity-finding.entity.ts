import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An archived mail whose file is not what was archived. Told once; goes when the file is found whole again. */
@Entity('integrity_findings')
@Index('integrity_findings_account_idx', ['accountId', 'mailId'])
@Index('integrity_findings_untold_idx', ['accountId'], { where: 'told_at IS NULL' })
export class IntegrityFindingEntity {
  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  mailId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  @Column('varchar', { length: 16 }) problem: 'missing' | 'altered';
  @Column('timestamptz', { default: () => 'now()' }) foundAt: Date;
  /** Set in the transaction that tells of it; null: found by a check that is still under way or was lost. */
  @Column('timestamptz', { nullable: true }) toldAt: Date | null;
}
