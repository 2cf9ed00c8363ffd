import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What imported mail without References is threaded by. */
@Entity('imported_subjects')
@Index('imported_subjects_account_key_idx', ['accountId', 'subjectKey', 'date'])
export class ImportedSubjectEntity {
  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  mailId: string;

  @Column('uuid') accountId: string;
  /** Hash of the subject without reply prefixes, case folded. */
  @Column('bigint') subjectKey: string;
  @Column('timestamptz') date: Date;
  /** Addresses of sender and recipients, lower-case, without the account's own. */
  @Column('text', { array: true }) participants: string[];
  /** Lower-case address; empty when there is none. */
  @Column('text') sender: string;
  /** By its prefixes. */
  @Column('boolean') isReply: boolean;
  @Column('boolean') hasReferences: boolean;
}
