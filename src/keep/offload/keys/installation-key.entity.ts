import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key with which this installation signs. The newest that opens is used; public halves stay for earlier signatures. */
@Entity('installation_keys')
export class InstallationKeyEntity {
  /** See `keyIdOf`. */
  @PrimaryColumn('char', { length: 32 }) keyId: string;
  /** SPKI in PEM. */
  @Column('text') publicKey: string;
  /** PKCS #8 in PEM, sealed. */
  @Column('text', { select: false }) sealedPrivateKey: string;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
}
