import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A saved search of a user. */
@Entity('saved_searches')
@Index('saved_searches_user_order_idx', ['userId', 'sortOrder', 'id'])
export class SavedSearchEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('varchar', { length: 255 }) name: string;
  /** In the provider's own search language. */
  @Column('varchar', { length: 2000 }) query: string;
  @Column('varchar', { length: 64, nullable: true }) icon: string | null;
  @Column('varchar', { length: 32, nullable: true }) color: string | null;
  @Column('integer', { default: 0 }) sortOrder: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt: Date;
}
