import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-values';

/** An uploaded file that waits on disk for its import job; it is deleted when the job has ended. */
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

  /** As the client named it. */
  @Column('text') filename: string;
  @Column('bigint', { transformer: bigintAsNumber }) sizeBytes: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
}
