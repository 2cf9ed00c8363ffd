import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A key with which this installation signs. The newest that can be unsealed is used; public halves stay, to verify earlier
 * signatures.
 */
@Entity('installation_keys')
export class InstallationKeyEntity {
  /** Id of the key, see `keyIdOf`. */
  @PrimaryColumn('char', { length: 32 }) keyId: string;
  /** Public key, SPKI in PEM. */
  @Column('text') publicKey: string;
  /** Private key, PKCS #8 in PEM, sealed. */
  @Column('text', { select: false }) sealedPrivateKey: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
