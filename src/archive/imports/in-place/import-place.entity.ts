import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * Outcome for a file in the watched folder: moved to `done` or to `failed`, or `left`, since it is another one now or no longer
 * there.
 */
export type PlaceOutcome = 'done' | 'failed' | 'left';

/** A file or folder on the server's disk that a job imports where it lies. */
@Entity('import_places')
@Index('import_places_job_idx', ['jobId'])
// A watched account has one import at a time; the index makes sure of it across processes.
@Index('import_places_watched_key', { synchronize: false })
export class ImportPlaceEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  accountId: string;

  /** Id of the job's record. */
  @ForeignKey('JobEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  jobId: string;

  /** Absolute path without links. */
  @Column('text') path: string;
  /** State of the file or folder when its import was asked for; see `readPlacedState`. */
  @Column('text') fingerprint: string;
  /** Whether it lies in the watched folder, and is moved when its job has ended. */
  @Column('boolean') isWatched: boolean;
  @Column('varchar', { length: 8, nullable: true }) settledAs: PlaceOutcome | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
}
