import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export const EXPORT_FORMATS = ['zip', 'mbox'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** An export that can be downloaded until it expires. */
@Entity('prepared_exports')
@Index('prepared_exports_user_id_idx', ['userId', 'createdAt'])
@Index('prepared_exports_account_id_idx', ['accountId'])
@Index('prepared_exports_expires_at_idx', ['expiresAt'])
export class PreparedExportEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  @Column('varchar', { length: 8 }) format: ExportFormat;
  @Column('boolean') compress: boolean;
  /** Ids of the mails; null: all mails of the account. */
  @Column('uuid', { array: true, nullable: true }) mailIds: string[] | null;
  /** Sealed passphrase, if some of the mails are encrypted; it is deleted with the row. */
  @Column('text', { nullable: true }) sealedPassphrase: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz') expiresAt: Date;
}
