import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Scopes of saved searches: messages of the live mailbox, or archived mails. */
export const SAVED_SEARCH_SCOPES = ['mailbox', 'archive'] as const;
export type SavedSearchScope = (typeof SAVED_SEARCH_SCOPES)[number];

/** A saved search of a user. */
@Entity('saved_searches')
@Index('saved_searches_user_order_idx', ['userId', 'sortOrder', 'id'])
export class SavedSearchEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('varchar', { length: 255 }) name: string;
  @Column('varchar', { length: 8, default: 'mailbox' }) scope: SavedSearchScope;
  /** Query in the provider's own search language; for the archive, parameters of its lists. */
  @Column('varchar', { length: 2000 }) query: string;
  @Column('varchar', { length: 64, nullable: true }) icon: string | null;
  @Column('varchar', { length: 32, nullable: true }) color: string | null;
  @Column('integer', { default: 0 }) sortOrder: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}
