import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { SAVED_SEARCH_SCOPES, SavedSearchEntity, type SavedSearchScope } from './saved-search.entity';
import { column, RowShape } from '../../platform/database/row-shape';

export type NewSavedSearch = Pick<
  SavedSearchEntity,
  'id' | 'userId' | 'name' | 'scope' | 'query' | 'icon' | 'color'
>;
/** Fields to change; undefined ones stay as they are. */
export type SavedSearchChanges = Partial<
  Pick<SavedSearchEntity, 'name' | 'scope' | 'query' | 'icon' | 'color' | 'sortOrder'>
>;

/** A search with its times in ISO 8601, as in answers. */
export type SavedSearch = Omit<SavedSearchEntity, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
};

const COLUMNS = `id, user_id AS "userId", name, scope, query, icon, color, sort_order AS "sortOrder",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

const SAVED_SEARCH_ROW: RowShape<SavedSearch> = {
  id: column.text,
  userId: column.text,
  name: column.text,
  scope: column.oneOf(SAVED_SEARCH_SCOPES),
  query: column.text,
  icon: column.nullable(column.text),
  color: column.nullable(column.text),
  sortOrder: column.number,
  createdAt: column.timestamp,
  updatedAt: column.timestamp,
};

const LIST_OWNED = {
  name: 'saved-searches-of-user',
  sql: `SELECT ${COLUMNS} FROM saved_searches WHERE user_id = $1 AND ($2::text IS NULL OR scope = $2)
        ORDER BY sort_order, id`,
};

const toSavedSearch = (search: SavedSearchEntity): SavedSearch => ({
  ...search,
  createdAt: search.createdAt.toISOString(),
  updatedAt: search.updatedAt.toISOString(),
});

@Injectable()
export class SavedSearchesRepository extends BaseRepository<SavedSearchEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, SavedSearchEntity);
  }

  /** @param scope null for both scopes */
  listOwned(userId: string, scope: SavedSearchScope | null): Promise<SavedSearch[]> {
    return this.readRows(SAVED_SEARCH_ROW, LIST_OWNED, [userId, scope]);
  }

  /** Inserts a search. @returns null when the user has `limit` searches already */
  async insertBelow(
    limit: number,
    { id, userId, name, scope, query, icon, color }: NewSavedSearch,
    transaction: Transaction,
  ): Promise<SavedSearch | null> {
    const [inserted] = await this.queryEntities(
      `INSERT INTO saved_searches (id, user_id, name, query, icon, color, scope)
       SELECT $2::uuid, $3::uuid, $4, $5, $6, $7, $8
       WHERE (SELECT count(*) FROM saved_searches WHERE user_id = $3::uuid) < $1::int
       RETURNING ${COLUMNS}`,
      [limit, id, userId, name, query, icon, color, scope],
      transaction,
    );
    return inserted ? toSavedSearch(inserted) : null;
  }

  /** Changes a search. @returns null when it is not the user's */
  async updateOwned(
    userId: string,
    id: string,
    { name, scope, query, icon, color, sortOrder }: SavedSearchChanges,
  ): Promise<SavedSearch | null> {
    const [updated] = await this.queryEntities(
      `UPDATE saved_searches
       SET name = coalesce($3, name), query = coalesce($4, query), sort_order = coalesce($5, sort_order),
           icon = CASE WHEN $6 THEN $7 ELSE icon END, color = CASE WHEN $8 THEN $9 ELSE color END,
           scope = coalesce($10, scope), updated_at = now()
       WHERE id = $1 AND user_id = $2
       RETURNING ${COLUMNS}`,
      [
        id,
        userId,
        name ?? null,
        query ?? null,
        sortOrder ?? null,
        icon !== undefined,
        icon ?? null,
        color !== undefined,
        color ?? null,
        scope ?? null,
      ],
    );
    return updated ? toSavedSearch(updated) : null;
  }

  async deleteOwned(userId: string, id: string): Promise<boolean> {
    const deleted = await this.executeAndCount('DELETE FROM saved_searches WHERE id = $1 AND user_id = $2', [
      id,
      userId,
    ]);
    return deleted > 0;
  }

  /**
   * Numbers the user's searches from 0: first the named ones in the given order, then the others in their present
   * order.
   * @returns false, and changes nothing, when one of the ids is not the user's
   */
  async reorderOwned(userId: string, ids: readonly string[]): Promise<boolean> {
    // Rows are locked in the order of ids, so that two simultaneous reorders run one after the other.
    const [answer] = await this.queryRows(
      { complete: column.boolean },
      `WITH owned AS (
         SELECT id, sort_order FROM saved_searches WHERE user_id = $1 ORDER BY id FOR NO KEY UPDATE
       ), named AS (
         SELECT id, position FROM unnest($2::uuid[]) WITH ORDINALITY AS listed (id, position)
       ), placed AS (
         SELECT owned.id, owned.sort_order, count(named.id) OVER () = cardinality($2::uuid[]) AS complete,
                row_number() OVER (ORDER BY named.position NULLS LAST, owned.sort_order, owned.id) - 1 AS place
         FROM owned LEFT JOIN named ON named.id = owned.id
       ), moved AS (
         UPDATE saved_searches search SET sort_order = placed.place, updated_at = now()
         FROM placed
         WHERE search.id = placed.id AND search.user_id = $1 AND placed.complete
           AND placed.sort_order <> placed.place
       )
       SELECT coalesce(bool_and(complete), false) AS complete FROM placed`,
      [userId, ids],
    );
    return answer?.complete ?? false;
  }
}
