import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A backup from which this installation was restored. Files that are older than that may be of mail that it does not name. */
@Entity('restored_backups')
export class RestoredBackupEntity {
  @PrimaryColumn('uuid') backupId: string;
  @Column('timestamptz', { default: () => 'now()' }) restoredAt: Date;
}
