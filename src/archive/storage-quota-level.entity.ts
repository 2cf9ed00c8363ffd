import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../common/database/column-values';

/** The highest part of the storage quota a user has been warned about. Its row is also the lock on the user's usage. */
@Entity('storage_quota_levels')
export class StorageQuotaLevelEntity {
  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  userId: string;

  /** 0, 80, 90 or 100. */
  @Column('smallint', { default: 0 }) percent: number;
  /** Bytes there was room for when a mail was last refused and that was told; null once there has been more room. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber }) refusedRoom: number | null;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}
