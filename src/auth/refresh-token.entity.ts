import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

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
