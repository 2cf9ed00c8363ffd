import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export type StorageType = 'local' | 'objstore';

/**
 * The storage of a user's new mail. Earlier configurations are kept: archived mails name theirs, so that a change never
 * makes them unreadable.
 */
@Entity('storage_configurations')
@Index('storage_configurations_user_idx', ['userId'])
@Index('storage_configurations_current_key', ['userId'], { unique: true, where: 'is_current' })
export class StorageConfigurationEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('varchar', { length: 16 }) type: StorageType;
  @Column('text', { nullable: true }) objstoreEndpoint: string | null;
  @Column('varchar', { length: 64, nullable: true }) objstoreRegion: string | null;
  @Column('varchar', { length: 63, nullable: true }) objstoreBucket: string | null;
  @Column('boolean', { nullable: true }) objstoreForcePathStyle: boolean | null;
  /** Access key and secret key, sealed with the row's id. */
  @Column('text', { nullable: true }) sealedCredentials: string | null;
  @Column('boolean', { default: true }) isCurrent: boolean;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}
