import type { ImportBatchOptions, ImportBatchResult } from '../import-writer';
import type { UidSet } from '../../../providers/imap/session/uid-set';

export interface ImapImportResult {
  readonly [count: string]: unknown;
  readonly imported: number;
  readonly duplicates: number;
  /** Number of imported messages whose Message-ID another message has. */
  readonly sameIdDifferent: number;
  readonly failed: number;
  /** Bytes of the imported messages. */
  readonly bytes: number;
}

/** The checkpoint of an import, written with every batch. */
export interface SavedPosition {
  readonly uidValidity: string | null;
  readonly lastUid: number;
  readonly endUid: number;
  readonly imported: number;
  readonly duplicates: number;
  /** Absent in positions saved by earlier versions. */
  readonly sameIdDifferent?: number;
  readonly failed: number;
  readonly bytes: number;
  readonly archivedBefore: string | null;
}

/** The position of an import in its folder, and the counts of its messages so far. */
export class ImapPosition {
  uidValidity: string | null;
  /** UID of the last message that is done; all before it are done too. */
  lastUid: number;
  /** Last UID of this import. */
  endUid: number;
  failed: number;
  /** Time at which the last batch was done, by the archive's clock; null: none was. */
  archivedBefore: string | null;
  /** Options of the next batch; they differ for the first one after a crash. */
  batchOptions: ImportBatchOptions;
  private imported: number;
  private duplicates: number;
  private sameIdDifferent: number;
  private bytes: number;

  constructor(saved: SavedPosition | undefined) {
    this.uidValidity = saved?.uidValidity ?? null;
    this.lastUid = saved?.lastUid ?? 0;
    this.endUid = saved?.endUid ?? 0;
    this.failed = saved?.failed ?? 0;
    this.imported = saved?.imported ?? 0;
    this.duplicates = saved?.duplicates ?? 0;
    this.sameIdDifferent = saved?.sameIdDifferent ?? 0;
    this.bytes = saved?.bytes ?? 0;
    this.archivedBefore = saved?.archivedBefore ?? null;
    this.batchOptions = this.archivedBefore === null ? {} : { archivedBefore: this.archivedBefore };
  }

  /** Whether the folder has been opened before. */
  get begun(): boolean {
    return this.uidValidity !== null;
  }

  /** Number of messages that are accounted for. */
  get done(): number {
    return this.imported + this.duplicates + this.failed;
  }

  get result(): ImapImportResult {
    const { imported, duplicates, sameIdDifferent, failed, bytes } = this;
    return { imported, duplicates, sameIdDifferent, failed, bytes };
  }

  /** Begins with these messages; earlier ones stay counted. */
  begin(uidValidity: string, selected: UidSet): void {
    this.uidValidity = uidValidity;
    this.lastUid = (selected.first ?? 1) - 1;
    this.endUid = selected.last ?? 0;
  }

  add({ imported, duplicates, sameIdDifferent, bytes }: ImportBatchResult): void {
    this.imported += imported;
    this.duplicates += duplicates;
    this.sameIdDifferent += sameIdDifferent;
    this.bytes += bytes;
    this.batchOptions = {};
  }

  toSaved(): SavedPosition {
    const { uidValidity, lastUid, endUid, archivedBefore } = this;
    return { uidValidity, lastUid, endUid, archivedBefore, ...this.result };
  }
}
