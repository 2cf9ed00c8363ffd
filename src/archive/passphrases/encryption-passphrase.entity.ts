import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The hash of a user's passphrase; the passphrase itself is not stored. */
@Entity('encryption_passphrases')
export class EncryptionPassphraseEntity {
  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  userId: string;

  /** scrypt in the PHC string format. */
  @Column('text') hash: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
}
