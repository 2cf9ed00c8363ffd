import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../platform/database/column-values';
import type { LeasedEntity } from '../../platform/database/leased-rows';

/** An uploaded file, from its first byte to the end of its import job. */
@Entity('import_uploads')
@Index('import_uploads_job_idx', ['jobId'])
export class ImportUploadEntity implements LeasedEntity {
  /** Also the file's name in the upload directory. */
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

  /** As the client named it; empty while an upload in one request is not complete. */
  @Column('text') filename: string;
  /** While the upload is not complete: as announced, or what has arrived. */
  @Column('bigint', { transformer: bigintAsNumber }) sizeBytes: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  /** When an upload under way was last heard of: without a job it is forgotten some time later. */
  @Column('timestamptz', { default: () => 'now()' }) touchedAt: Date;

  /** Of an upload in pieces, bytes that are on disk for good; null: it comes in one request. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber })
  receivedBytes: number | null;

  /** Names the request that writes a piece. */
  @Column('uuid', { nullable: true }) leaseToken: string | null;
  @Column('timestamptz', { nullable: true }) leaseUntil: Date | null;
}
