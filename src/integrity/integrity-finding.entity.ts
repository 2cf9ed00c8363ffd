import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An archived mail whose file is not what was archived. Told once; goes when the file is found whole again. */
@Entity('integrity_findings')
@Index('integrity_findings_account_idx', ['accountId', 'mailId'])
export class IntegrityFindingEntity {
  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  mailId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  @Column('varchar', { length: 16 }) problem: 'missing' | 'altered';
  @Column('timestamptz', { default: () => 'now()' }) foundAt: Date;
}
