import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** How long archived mail is kept. */
@Entity('retention_policies')
@Index('retention_policies_user_idx', ['userId', 'id'])
export class RetentionPolicyEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  /** null: all accounts of the user. */
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid', { nullable: true })
  mailboxAccountId: string | null;

  @Column('varchar', { length: 255 }) name: string;
  /** Id or name of a label; null: mail with any label or none. */
  @Column('text', { nullable: true }) label: string | null;
  @Column('integer') maxAgeDays: number;
  @Column('boolean', { default: true }) isActive: boolean;
  @Column('timestamptz', { nullable: true }) lastRunAt: Date | null;
  /** Mails removed by this policy so far. */
  @Column('integer', { default: 0 }) deletedCount: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}
