import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../platform/database/column-values';

/** A passkey of a user: a public key whose private half never leaves the user's devices (WebAuthn Level 3). */
@Entity('passkeys')
@Index('passkeys_user_idx', ['userId', 'id'])
export class PasskeyEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('varchar', { length: 100 }) name: string;
  /** The authenticator's id of the credential, at most 1,023 bytes. */
  @Index('passkeys_credential_key', { unique: true })
  @Column('bytea')
  credentialId: Buffer;

  /** COSE key (RFC 9052). */
  @Column('bytea') publicKey: Buffer;
  /** Signature counter of the authenticator; 0 for those that do not count. */
  @Column('bigint', { transformer: bigintAsNumber }) counter: number;
  /** Ways in which browsers reach the authenticator: `internal`, `usb`, `hybrid` and others. */
  @Column('text', { array: true, default: '{}' }) transports: string[];
  /** Whether the passkey is synchronised between devices, as password managers do. */
  @Column('boolean') isSynced: boolean;
  @Column('timestamptz', { nullable: true }) lastUsedAt: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
}
