import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** What a user's passphrase is checked against; the passphrase itself is stored nowhere. */
@Entity('encryption_passphrases')
export class EncryptionPassphraseEntity {
  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  userId: string;

  /** scrypt in the PHC string format. */
  @Column('text') hash: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
}
