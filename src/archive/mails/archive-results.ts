import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { column, typedRows } from '../../platform/database/row-shape';
import { ResultCache } from '../../platform/redis/result-cache';

/** Time for which a result is cached while the archive does not change, in seconds. */
const KEPT_SECONDS = 600;

/**
 * Caches results that take long to compute, one for each state of an archive: everything that a filter reads changes in one
 * transaction with the row of totals.
 */
@Injectable()
export class ArchiveResults {
  constructor(private readonly results: ResultCache) {}

  /**
   * @param manager of the snapshot that `compute` reads
   * @param name of the kind of result
   * @param asked everything that the result depends on besides the archive
   * @returns null when the archive is empty
   */
  async getOrCompute<T>(
    manager: EntityManager,
    accountId: string,
    name: string,
    asked: object,
    compute: () => Promise<T>,
  ): Promise<T | null> {
    const [state] = typedRows(
      { version: column.text, mails: column.number, bytes: column.text },
      await manager.query(
        'SELECT xmin::text AS version, mails, bytes FROM archive_totals WHERE account_id = $1',
        [accountId],
      ),
    );
    if (!state || state.mails === 0) return null;
    const hash = createHash('sha256').update(JSON.stringify(asked)).digest('base64url');
    const key = [name, accountId, state.version, String(state.mails), state.bytes, hash];
    let isOwn = false;
    try {
      return await this.results.getOrCompute(key, false, async () => {
        isOwn = true;
        return { value: await compute(), keepSeconds: KEPT_SECONDS };
      });
    } catch (error) {
      if (isOwn) throw error;
      // The request that was computing ended early, because its client went away.
      return compute();
    }
  }
}
