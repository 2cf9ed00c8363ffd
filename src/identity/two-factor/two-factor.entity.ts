import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../platform/database/column-values';

/** A user's second factor: time-based one-time codes (RFC 6238). */
@Entity('two_factors')
export class TwoFactorEntity {
  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  userId: string;

  /** Sealed with the user's id. */
  @Column('text') sealedSecret: string;
  /** null until the user has entered its first code. */
  @Column('timestamptz', { nullable: true }) enabledAt: Date | null;
  /** Time step of the last accepted code; that step and those before it are used up. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber }) lastStep: number | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
}

/** Replaces a one-time code, once. */
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
