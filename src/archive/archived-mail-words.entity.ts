import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What makes a mail findable by `q`; apart from the mail so that counting matches reads few pages. */
@Entity('archived_mail_words')
@Index('archived_mail_words_search_idx', { synchronize: false })
export class ArchivedMailWordsEntity {
  @ForeignKey('ArchivedMailEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  mailId: string;

  @Column('uuid') accountId: string;
  @Column('timestamptz') date: Date;
  @Column('boolean') hasAttachments: boolean;
  /** Weighted words, see `archive/search`. */
  @Column('tsvector', { select: false }) words: string;
  /** Blanks that make PostgreSQL keep `words` out of the row; write it again (DEFAULT) with every change of `words`. */
  @Column('text', { select: false, default: () => "repeat(' ', 2048)" }) padding: string;
}
