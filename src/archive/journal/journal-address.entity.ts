import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../platform/database/column-values';
import type { JournalFormat } from './journal-format';

/** The secret address to which mail servers copy the mail of an account, and counts of what came. */
@Entity('journal_addresses')
@Index('journal_addresses_user_idx', ['userId'])
@Index('journal_addresses_lookup_key', ['lookupKey'], { unique: true })
@Index('journal_addresses_previous_key', ['previousKey'], { unique: true })
export class JournalAddressEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  /** The secret part of the address, sealed with the account's id as associated data. */
  @Column('text') sealedSecret: string;
  /** Fingerprint of the secret, by which a recipient is looked up; 64 hex digits. */
  @Column('char', { length: 64 }) lookupKey: string;
  /** Fingerprint of the secret before the last replacement, which is taken until `previousUntil`. */
  @Column('char', { length: 64, nullable: true }) previousKey: string | null;
  @Column('timestamptz', { nullable: true }) previousUntil: Date | null;
  /** The format that its mail server sends. */
  @Column('varchar', { length: 32, default: 'copies' }) format: JournalFormat;
  @Column('timestamptz', { default: () => 'clock_timestamp()' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) replacedAt: Date | null;
  /** Messages that were archived, and their bytes. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) received: number;
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) receivedBytes: number;
  /** Messages that the archive had already. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) duplicates: number;
  /** Messages that were refused, most of which their senders try again. */
  @Column('bigint', { default: 0, transformer: bigintAsNumber }) refused: number;
  /** When the last message came that was archived or was there already. */
  @Column('timestamptz', { nullable: true }) lastReceivedAt: Date | null;
  @Column('timestamptz', { nullable: true }) lastRefusedAt: Date | null;
  /** Why the last one was refused: a code of `REFUSALS`. */
  @Column('varchar', { length: 32, nullable: true }) lastRefusal: string | null;
}
