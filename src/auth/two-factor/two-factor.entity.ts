import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../common/database/column-types';

/** A user's second factor: time-based one-time codes (RFC 6238). */
@Entity('two_factors')
export class TwoFactorEntity {
  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  userId: string;

  /** Sealed with the user's id. */
  @Column('text') sealedSecret: string;
  /** null while the user has not shown a code of it. */
  @Column('timestamptz', { nullable: true }) enabledAt: Date | null;
  /** Time step of the last code taken; that one and those before it are used up. */
  @Column('bigint', { nullable: true, transformer: bigintAsNumber }) lastStep: number | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
}
