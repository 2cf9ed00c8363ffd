import type { TransferredBytes } from '../../port/provider-usage.port';

/** Limits of a provider that concern everything that IMAP reads and writes. */
export interface ImapLimits {
  /** Bytes that a mailbox may transfer in 24 hours; undefined when no limit is known. */
  readonly transfer?: TransferredBytes;
  /** Numbers of messages at which a folder may have more that IMAP does not show. */
  readonly folderSizes?: readonly number[];
  /** Page or report that states the limits. */
  readonly source: string;
  /** Month in which the source was read, `YYYY-MM`. */
  readonly readIn: string;
}

/**
 * Yahoo's servers show the newest messages of a folder only. The source is reports of users of other programs; the IETF's
 * RFC 9738, of which Yahoo is an author, announces another limit (of messages in a command).
 */
const YAHOO: ImapLimits = {
  folderSizes: [10_000],
  source: 'reports of exactly 10,000 messages of folders with more than 20,000',
  readIn: '2026-11',
};

/** Limits by id of the preset (`IMAP_PRESETS`). */
const LIMITS: Readonly<Record<string, ImapLimits>> = {
  gmail: {
    transfer: { receivedBytes: 2_500_000_000, sentBytes: 500_000_000 },
    // Values of the setting for the size of folders (Gmail API, `ImapSettings.maxFolderSize`).
    folderSizes: [1_000, 2_000, 5_000, 10_000],
    source: 'Google Workspace Admin Help, "Gmail bandwidth limits", as other programs quote it',
    readIn: '2026-11',
  },
  yahoo: YAHOO,
  aol: YAHOO,
};

/** Server of a mailbox, as far as its limits depend on it. */
export interface LimitedServer {
  readonly preset: string | null;
  readonly gmailLabels: boolean;
}

/** Finds the limits of a server; null when none are known. Gmail's hold for every server that has its labels. */
export const limitsOf = ({ preset, gmailLabels }: LimitedServer): ImapLimits | null =>
  LIMITS[gmailLabels ? 'gmail' : (preset ?? '')] ?? null;

/** Returns the bytes that a mailbox may transfer in 24 hours; null when no limit is known. */
export const transferLimitsOf = (server: LimitedServer): TransferredBytes | null =>
  limitsOf(server)?.transfer ?? null;

/** Whether a folder that shows this number of messages may have older ones that it hides. */
export const mayHideMessages = (server: LimitedServer, messages: number): boolean =>
  limitsOf(server)?.folderSizes?.includes(messages) ?? false;
