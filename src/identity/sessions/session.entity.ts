import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** One sign-in on one device. Access tokens name it; revoking it ends them at once. */
@Entity('sessions')
export class SessionEntity {
  @PrimaryColumn('uuid') id: string;

  @Index('sessions_user_id_idx')
  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('varchar', { length: 400, nullable: true }) userAgent: string | null;
  @Column('varchar', { length: 64, nullable: true }) ipAddress: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) lastUsedAt: Date;

  @Index('sessions_expires_at_idx')
  @Column('timestamptz')
  expiresAt: Date;

  @Index('sessions_revoked_at_idx')
  @Column('timestamptz', { nullable: true })
  revokedAt: Date | null;
}

/** Every refresh token ever issued to a live session, so that any reuse is recognised. */
@Entity('refresh_tokens')
export class RefreshTokenEntity {
  /** SHA-256 of the token; the token itself is never stored. */
  @PrimaryColumn('bytea') tokenHash: Buffer;

  @Index('refresh_tokens_session_id_idx')
  @ForeignKey('SessionEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  sessionId: string;

  @Index('refresh_tokens_created_at_idx')
  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  /** Set when the token was exchanged for the next one. */
  @Column('timestamptz', { nullable: true }) usedAt: Date | null;
}
