import { FileDeletions } from '../../../src/archive/files/file-deletions';
import type { TestedService } from '../tested-service';
import type { DataSource } from 'typeorm';
import { waitFor } from '../wait';

/** Waits until the files that a killed process was writing or deleting are gone. A service has to be running. */
export async function filesSettled(dataSource: DataSource): Promise<void> {
  await waitFor('files to be deleted', async () => {
    const left = await dataSource.query('SELECT 1 FROM file_deletions LIMIT 1');
    return left.length === 0;
  });
}

/** Deletes all files that are due, however often that has failed. */
export async function deleteFiles(app: Pick<TestedService, 'get' | 'dataSource'>): Promise<void> {
  const accounts: { id: string }[] = await app.dataSource.query(
    'SELECT DISTINCT account_id AS id FROM file_deletions',
  );
  for (const { id } of accounts) expect(await app.get(FileDeletions).drain(id)).toBe(0);
}
