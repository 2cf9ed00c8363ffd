import { counter } from '../../../platform/logging/metrics';
import type { CheckedCounts } from './index-checks.repository';

const checked = counter({
  name: 'mailroom_archive_index_checked_mails_total',
  help: 'Archived mails whose words were searched for, by outcome',
  labelNames: ['outcome'],
});

/** Counts a checked mail in the metrics. */
export function countChecked({ mismatches, unreadable }: CheckedCounts): void {
  checked.inc({ outcome: mismatches > 0 ? 'mismatch' : unreadable > 0 ? 'unreadable' : 'found' });
}
