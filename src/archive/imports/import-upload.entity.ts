import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../platform/database/column-values';
import type { LeasedEntity } from '../../platform/database/leased-rows';

/** An uploaded file, from its first byte to the end of its import job. */
@Entity('import_uploads')
@Index('import_uploads_job_idx', ['jobId'])
export class ImportUploadEntity implements LeasedEntity {
  /** Id of the upload, and name of its file in the upload directory. */
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** Id of the job's record; null while the upload is not complete. */
  @ForeignKey('JobEntity', 'id', { onDelete: 'SET NULL' })
  @Column('uuid', { nullable: true })
  jobId: string | null;

  /** Name of the file from the client; empty while an upload in one request is not complete. */
  @Column('text') filename: string;
  /** Size of the file; while the upload is not complete, the announced size or the number of bytes received. */
  @Column('bigint', { transformer: bigintAsNumber }) sizeBytes: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  /** Time of the last sign of life of an upload under way; without a job its row is deleted some time later. */
  @Column('timestamptz', { default: () => 'now()' }) touchedAt: Date;

  /** Bytes of an upload in chunks that are durably on disk; null: the upload comes in one request. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber })
  receivedBytes: number | null;

  /** Lease of the request that writes a chunk; null: none. */
  @Column('uuid', { nullable: true }) leaseToken: string | null;
  @Column('timestamptz', { nullable: true }) leaseUntil: Date | null;
}
