import { PII_TYPES, type PiiType } from '../detection/pii-match';
import type { PiiFinding } from '../detection/summarise-pii';

/** What a scan has seen; the result of its job. Mails it failed on are counted by the job. */
export interface ScanSummary {
  /** Mails looked through. */
  scanned: number;
  /** Encrypted mails; what was found in them before stays. */
  skippedEncrypted: number;
  /** Different values, added up over the mails. */
  findings: number;
  /** Mails in which something was found. */
  affectedMails: number;
  /** `findings` by type, every type named. */
  byType: Record<PiiType, number>;
  /** Mails with more text than is looked through. */
  truncated: number;
}

export const emptySummary = (): ScanSummary => ({
  scanned: 0,
  skippedEncrypted: 0,
  findings: 0,
  affectedMails: 0,
  byType: Object.fromEntries(PII_TYPES.map((type) => [type, 0])) as Record<PiiType, number>,
  truncated: 0,
});

/** Adds a mail that was looked through. */
export function addScanned(summary: ScanSummary, findings: readonly PiiFinding[], isCut: boolean): void {
  summary.scanned++;
  if (isCut) summary.truncated++;
  if (findings.length > 0) summary.affectedMails++;
  for (const { type, count } of findings) {
    summary.findings += count;
    summary.byType[type] += count;
  }
}
