import { Injectable, Logger } from '@nestjs/common';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { AppConfig } from '../../../platform/config/app-config';
import { ImportFileChanged } from '../imports.errors';
import type { ImportTarget } from '../in-place/import-places.repository';
import { PlacedImportsService } from '../in-place/placed-imports.service';
import { isUnfinishedName, type PlacedState, readPlacedState } from '../in-place/placed-state';
import { OUTCOME_FOLDERS, settleFile } from './ended-files';
import { isOpenForWriting } from './open-for-writing';
import { MAX_ENTRIES, MAX_FOLDERS, MAX_MOVES, MAX_STARTS, UNFINISHED_WAIT_MS } from './watched-limits';

/** A file as it was when it was last seen, and since when it has been so. */
interface Observation {
  readonly state: string;
  readonly sinceMs: number;
}

/**
 * Imports what the operator's people put into the watched folder: `<folder>/<account>/…`. Any number of processes may look at
 * it: the row of the import decides which of them has started it. See ADR 115.
 */
@Injectable()
export class WatchedFolderService {
  private readonly logger = new Logger(WatchedFolderService.name);
  /** Reports that were made already, so that each is logged once and not with each sweep. */
  private readonly reported = new Set<string>();
  private observations = new Map<string, Observation>();

  constructor(
    private readonly imports: PlacedImportsService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Moves files whose import has ended, and starts the imports of those that have come to rest.
   * @returns number of imports started
   */
  async sweep(signal: AbortSignal): Promise<number> {
    const { watchDir } = this.config.storage;
    if (watchDir === null) return 0;
    const root = await this.reporting('the watched folder', () => realpath(watchDir));
    if (root === null) return 0;
    await this.settleEnded(signal);
    return this.startNew(root, signal);
  }

  private async settleEnded(signal: AbortSignal): Promise<void> {
    for (const place of await this.imports.listEnded(MAX_MOVES)) {
      await this.reporting(`the file of ${place.jobId}`, async () => {
        const { outcome, path } = await settleFile(place, signal);
        await this.imports.settle(place.id, outcome, path);
      });
    }
  }

  private async startNew(root: string, signal: AbortSignal): Promise<number> {
    const busy = await this.imports.listBusy();
    const seen = new Map<string, Observation>();
    let started = 0;
    for (const [folder, target] of await this.accountFolders(root)) {
      if (started >= MAX_STARTS) break;
      if (busy.has(target.accountId)) continue;
      await this.reporting(folder, async () => {
        const ready = await this.findReady(join(root, folder), seen, signal);
        if (!ready) return;
        const job = await this.imports.start(target, ready.path, ready.state, true);
        if (job) started += 1;
      });
    }
    // Observations of files that are gone would pile up.
    this.observations = seen;
    return started;
  }

  /** The folders of the root that one account is meant by. */
  private async accountFolders(root: string): Promise<Map<string, ImportTarget>> {
    const entries = await readdir(root, { withFileTypes: true });
    const names = entries.flatMap((entry) =>
      isTaken(entry.name) && entry.isDirectory() ? [entry.name] : [],
    );
    names.sort();
    if (names.length > MAX_FOLDERS)
      this.reportOnce(`Only ${MAX_FOLDERS} folders of the watched folder are read`);
    const known = await this.imports.listTargets(names.slice(0, MAX_FOLDERS));
    const folders = new Map<string, ImportTarget>();
    for (const name of names.slice(0, MAX_FOLDERS)) {
      const targets = known.filter((target) => target.name === name);
      if (targets.length === 1) folders.set(name, targets[0]!);
      else
        this.reportOnce(
          `A folder of the watched folder is left alone: ${this.whyUnknown(name, targets.length)}`,
        );
    }
    return folders;
  }

  private whyUnknown(name: string, accounts: number): string {
    return `${shownName(name)} means ${accounts === 0 ? 'no account' : `${accounts} accounts; use an id`}`;
  }

  /** The first entry of an account's folder that has come to rest. */
  private async findReady(
    folder: string,
    seen: Map<string, Observation>,
    signal: AbortSignal,
  ): Promise<{ path: string; state: PlacedState } | null> {
    const names = (await readdir(folder)).filter((name) => isTaken(name) && !isOutcome(name)).sort();
    let first: { path: string; state: PlacedState } | null = null;
    for (const name of names.slice(0, MAX_ENTRIES)) {
      const path = join(folder, name);
      const state = await this.stateOf(path, signal);
      if (state && this.isAtRest(path, state, seen) && first === null && !(await isOpenForWriting(path)))
        first = { path, state };
    }
    return first;
  }

  private async stateOf(path: string, signal: AbortSignal): Promise<PlacedState | null> {
    try {
      const state = await readPlacedState(path, signal);
      if (!state) this.reportOnce('A link or device in the watched folder is left alone', path);
      return state;
    } catch (error) {
      // It is being written, or was moved away.
      if (error instanceof ImportFileChanged || (error as NodeJS.ErrnoException).code === 'ENOENT')
        return null;
      throw error;
    }
  }

  /** Whether a file has been as it is for long enough, by what this process has seen and by the clock of the disk. */
  private isAtRest(path: string, state: PlacedState, seen: Map<string, Observation>): boolean {
    const { fingerprint, changedAtMs, unfinished, files } = state;
    const now = Date.now();
    const current = `${fingerprint} ${changedAtMs}`;
    const before = this.observations.get(path);
    const observation = before?.state === current ? before : { state: current, sinceMs: now };
    seen.set(path, observation);
    // A program may have left the file behind for good.
    const isBeingFilled = unfinished !== null && now - changedAtMs < UNFINISHED_WAIT_MS;
    return !isBeingFilled && files > 0 && now - observation.sinceMs >= this.config.storage.watchSettleMs;
  }

  /** Does a part of a sweep. A failure is logged once, and must not keep the rest waiting. */
  private async reporting<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      this.reportOnce(`${shownName(what)}: ${code ?? String(error)}`, what);
      return null;
    }
  }

  /** @param key tells apart what has the same text; it is not logged */
  private reportOnce(text: string, key = ''): void {
    const report = `${text} ${key}`;
    if (this.reported.has(report)) return;
    this.reported.add(report);
    this.logger.warn(text);
  }
}

/** Hidden files, and those that a program is still writing, wait. */
const isTaken = (name: string): boolean => !name.startsWith('.') && !isUnfinishedName(name);

/** A name of a folder for the log, which has no addresses. */
const shownName = (name: string): string =>
  name.includes('@') ? `an address of ${name.length} characters` : name.slice(0, 64);

const isOutcome = (name: string): boolean => (OUTCOME_FOLDERS as readonly string[]).includes(name);
