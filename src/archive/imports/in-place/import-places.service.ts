import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transactions';
import type { ArchiveOwner } from '../../mails/writing/mail-to-archive';
import type { ImportSource } from '../files/import-source';
import { ImportFileChanged } from '../imports.errors';
import { ImportPlacesRepository } from './import-places.repository';
import { placedSource } from './placed-source';

/** Files and folders on the server's disk, for the jobs that import them. */
@Injectable()
export class ImportPlacesService {
  constructor(private readonly places: ImportPlacesRepository) {}

  /** @throws ImportFileChanged when the place is not known any more */
  async sourceOf(owner: ArchiveOwner, id: string): Promise<ImportSource> {
    const placed = await this.places.findOwned(owner, id);
    if (!placed) throw new ImportFileChanged();
    return placedSource(placed);
  }

  /** Gives up a file that is another one now: its job cannot go on, and the watched folder takes it up anew. */
  leave(owner: ArchiveOwner, id: string): Promise<void> {
    return this.places.leave(owner, id);
  }

  /** Whether a job that has ended can go on with its file. */
  isKept(id: string, transaction: Transaction): Promise<boolean> {
    return this.places.isKept(id, transaction);
  }
}
