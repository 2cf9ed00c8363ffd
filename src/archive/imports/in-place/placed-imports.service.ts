import { Injectable } from '@nestjs/common';
import { basename } from 'node:path';
import { newId } from '../../../platform/crypto/ids';
import { Transactions } from '../../../platform/database/transactions';
import { parseJobReference } from '../../../platform/jobs/job-record';
import { JobsService, type StartedJob } from '../../../platform/jobs/jobs.service';
import type { ArchiveOwner } from '../../mails/writing/mail-to-archive';
import { ImportMbox } from '../files/import-mbox.job';
import type { PlaceOutcome } from './import-place.entity';
import { type EndedPlace, ImportPlacesRepository, type ImportTarget } from './import-places.repository';
import type { PlacedState } from './placed-state';

export type { EndedPlace, ImportTarget } from './import-places.repository';

/** The watched account has an import under way; the transaction that started another is rolled back. */
class AccountBusy extends Error {}

/** Starts imports of files and folders where they lie on the server's disk, for its operator. See ADR 115. */
@Injectable()
export class PlacedImportsService {
  constructor(
    private readonly places: ImportPlacesRepository,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
  ) {}

  /** Finds the accounts that a name means: an id, or the address of a mailbox, which several users may have. */
  findTargets(name: string): Promise<ImportTarget[]> {
    return this.places.findTargets([name]);
  }

  /** Finds the accounts that several names mean, as `findTargets` does. */
  listTargets(names: readonly string[]): Promise<(ImportTarget & { name: string })[]> {
    return this.places.findTargets(names);
  }

  /** Lists accounts that have an import from the watched folder under way. */
  listBusy(): Promise<Set<string>> {
    return this.places.listBusy();
  }

  /** Lists files in the watched folder whose job has ended. */
  listEnded(most: number): Promise<EndedPlace[]> {
    return this.places.listEnded(most);
  }

  /** Records what became of a file in the watched folder. @param path where it lies now */
  settle(id: string, outcome: PlaceOutcome, path: string): Promise<void> {
    return this.places.settle(id, outcome, path);
  }

  /** The unfinished job that imports a path into an account; null: there is none. */
  findOpenJob(owner: ArchiveOwner, path: string): Promise<string | null> {
    return this.places.findOpenJob(owner, path);
  }

  /**
   * Starts the import of a file or folder. The job and its place come into being together.
   * @param path absolute, without links
   * @param isWatched whether it lies in the watched folder: then the account has one import at a time
   * @returns null when the user is inactive or has too many open jobs, or the watched account has an import under way
   */
  async start(
    { userId, accountId }: ArchiveOwner,
    path: string,
    { fingerprint, sizeBytes }: PlacedState,
    isWatched: boolean,
  ): Promise<StartedJob | null> {
    const id = newId();
    try {
      return await this.transactions.run(async (transaction) => {
        const payload = { uploadId: id, filename: basename(path), sizeBytes, inPlace: true };
        const owner = { userId, accountId };
        const started = await this.jobs.startIfPossible(ImportMbox, owner, payload, { transaction });
        const reference = started && parseJobReference(started.jobId);
        if (!reference || !('number' in reference)) return null;
        const place = { id, userId, accountId, path, fingerprint, isWatched };
        if (!(await this.places.insert(place, reference.number, transaction))) throw new AccountBusy();
        return started;
      });
    } catch (error) {
      if (error instanceof AccountBusy) return null;
      throw error;
    }
  }
}
