import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export const API_KEY_SCOPES = ['read', 'write'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** A bearer token for programs. The key itself is shown once and never stored. */
@Entity('api_keys')
@Index('api_keys_user_idx', ['userId', 'id'])
export class ApiKeyEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('varchar', { length: 100 }) name: string;
  /** The beginning of the key, by which people recognise it. */
  @Column('varchar', { length: 16 }) prefix: string;
  /** SHA-256; the key is too random to need a slow hash. */
  @Index('api_keys_hash_key', { unique: true })
  @Column('bytea')
  keyHash: Buffer;

  @Column('varchar', { length: 8 }) scope: ApiKeyScope;
  /** The mailbox accounts it is limited to; null for all of the user's. */
  @Column('uuid', { array: true, nullable: true }) accountIds: string[] | null;
  @Column('timestamptz', { nullable: true }) expiresAt: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
}
