import { counter } from '../../../platform/logging/metrics';

const mails = counter({ name: 'mailroom_archive_mails_total', help: 'Mails written to the archive' });
const bytes = counter({ name: 'mailroom_archive_bytes_total', help: 'Bytes of EML written to the archive' });

/** Counts committed mails and their bytes in the metrics. */
export function countArchived(count: number, size: number): void {
  mails.inc(count);
  bytes.inc(size);
}
