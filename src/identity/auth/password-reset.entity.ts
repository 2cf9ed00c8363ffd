import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A link with which a user may choose another password; one that is used has no row. */
@Entity('password_resets')
export class PasswordResetEntity {
  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  userId: string;

  /** SHA-256; the token is too random to need a slow hash. */
  @Index('password_resets_token_key', { unique: true })
  @Column('bytea')
  tokenHash: Buffer;

  /** SHA-256 of the stored password, empty without one: the link ends when the password is changed otherwise. */
  @Column('bytea') passwordSeen: Buffer;

  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
}
