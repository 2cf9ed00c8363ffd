import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-values';

/** An uploaded file, from its first byte to the end of its import job. */
@Entity('import_uploads')
@Index('import_uploads_job_idx', ['jobId'])
export class ImportUploadEntity {
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

  /** As the client named it; empty while the upload is not complete. */
  @Column('text') filename: string;
  /** While the upload is not complete: as announced, or what has arrived. */
  @Column('bigint', { transformer: bigintAsNumber }) sizeBytes: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  /** When an upload under way was last heard of: without a job it is forgotten some time later. */
  @Column('timestamptz', { default: () => 'now()' }) touchedAt: Date;
}
