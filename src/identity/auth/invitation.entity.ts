import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A user whom an administrator has added, and who has not chosen a password yet. */
@Entity('invitations')
export class InvitationEntity {
  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  userId: string;

  /** SHA-256; the token is too random to need a slow hash. */
  @Index('invitations_token_key', { unique: true })
  @Column('bytea')
  tokenHash: Buffer;

  @Column('timestamptz') expiresAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
}
