import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../platform/database/column-values';

/** The highest level of usage a user has been warned of. The row is also the lock on the user's usage. */
@Entity('storage_quota_levels')
export class StorageQuotaLevelEntity {
  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  userId: string;

  /** 0, 80, 90 or 100. */
  @Column('smallint', { default: 0 }) percent: number;
  /** Free bytes when a mail was last refused and the user notified; null once there has been more room. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber }) refusedRoom: number | null;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}
