import {
  type CutFolder,
  cutFoldersOf,
  providerOf,
} from '../../../providers/imap/forecast/imap-transfers.service';
import {
  completionOf,
  type DailyBytes,
  HEADER_BYTES,
} from '../../../providers/imap/forecast/transfer-forecast';
import { type LimitedServer, limitsOf, transferLimitsOf } from '../../../providers/imap/login/imap-limits';
import type { UidSet } from '../../../providers/imap/session/uid-set';
import type { ImportedFolder } from './imported-folder';

/** Messages whose sizes are asked for, spread over all that are imported. */
const SAMPLE = 500;

/**
 * The part of a day's limit that an import from a server that is not connected uses. It reads until the server says that the
 * limit is reached: the bytes that people and other programs read there are not known.
 */
export const SHARE_OF_IMPORTS = 1;

/** Forecast of an import from an IMAP server, by a sample of its messages. */
export interface ImportForecast {
  /** Name of the provider; null when it is not known. */
  readonly provider: string | null;
  /** Messages to import; null when the provider has no known limits: they are not counted. */
  readonly messages: number | null;
  /** Bytes of these messages; null when no limit of bytes is known: no sizes are asked for. */
  readonly bytes: number | null;
  readonly received: DailyBytes | null;
  /** When the last message will have been read; null: within the day, or no limit is known. */
  readonly completesAt: Date | null;
  /** The folder, when its provider may hide older messages that the import would have to read. */
  readonly cutFolders: readonly CutFolder[];
}

/**
 * Forecasts the import of a folder.
 * @param openFolder opens it; called only when the server has known limits
 * @param maxMessages number of the newest messages that are imported; null: all
 */
export async function forecastImport(
  server: LimitedServer,
  openFolder: () => Promise<ImportedFolder>,
  maxMessages: number | null,
  now: Date,
): Promise<ImportForecast> {
  const provider = providerOf(server);
  const limits = transferLimitsOf(server);
  const received = limits && { limit: limits.receivedBytes, used: 0 };
  if (!limitsOf(server))
    return { provider, messages: null, bytes: null, received, completesAt: null, cutFolders: [] };
  const folder = await openFolder();
  const shown = await folder.listUids(1);
  const wanted = shown.largest(maxMessages ?? Infinity);
  const messages = wanted.size;
  const isCutOff = maxMessages === null || maxMessages > shown.size;
  const cutFolders = cutFoldersOf(server, [{ path: folder.name.name, messages: shown.size }]);
  const bytes = received && (await estimateBytes(folder, wanted));
  return {
    provider,
    messages,
    bytes,
    received,
    completesAt:
      received && bytes !== null
        ? completionOf(bytes + messages * HEADER_BYTES, received, now, SHARE_OF_IMPORTS)
        : null,
    cutFolders: isCutOff ? cutFolders : [],
  };
}

/** Estimates the bytes of messages by the sizes of a sample. */
async function estimateBytes(folder: ImportedFolder, wanted: UidSet): Promise<number> {
  const step = Math.max(1, Math.ceil(wanted.size / SAMPLE));
  const sample: number[] = [];
  for (const [uid] of wanted.pages(step)) sample.push(uid as number);
  const described = await folder.describe(sample);
  const sum = described.reduce((total, { size }) => total + size, 0);
  return described.length === 0 ? 0 : Math.round((sum / described.length) * wanted.size);
}
