import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The highest part of the storage quota a user has been warned about. Its row is also the lock on the user's usage. */
@Entity('storage_quota_levels')
export class StorageQuotaLevelEntity {
  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  userId: string;

  /** 0, 80, 90 or 100. */
  @Column('smallint', { default: 0 }) percent: number;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}
