import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Stands in for a one-time code, once. */
@Entity('recovery_codes')
@Index('recovery_codes_hash_key', ['userId', 'codeHash'], { unique: true })
export class RecoveryCodeEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  /** Fingerprint under the installation's key. */
  @Column('varchar', { length: 64 }) codeHash: string;
  @Column('timestamptz', { nullable: true }) usedAt: Date | null;
}
