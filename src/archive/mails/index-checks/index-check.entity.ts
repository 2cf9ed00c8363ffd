import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The latest check of an account's search index against its files. */
@Entity('archive_index_checks')
export class IndexCheckEntity {
  @ForeignKey('MailboxAccountEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  accountId: string;

  @Column('timestamptz', { default: () => 'now()' }) startedAt: Date;
  /** Null: it is not at its end. */
  @Column('timestamptz', { nullable: true }) endedAt: Date | null;
  /** Mails to be checked, if there are as many. */
  @Column('integer') wanted: number;
  @Column('integer', { default: 0 }) mails: number;
  @Column('integer', { default: 0 }) attachments: number;
  /** Mails that the index did not have as their files are. */
  @Column('integer', { default: 0 }) mismatches: number;
  /** Mails whose files could not be read; the integrity check tells more about them. */
  @Column('integer', { default: 0 }) unreadable: number;
}
