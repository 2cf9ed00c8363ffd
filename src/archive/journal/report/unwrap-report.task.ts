import { type JoinedBuffers, mapJoined } from '../../../platform/workers/joined-buffers';
import { unwrapReport, type UnwrappedReport } from './journal-report';

/** Unwraps journal reports, on a worker thread. */
export const unwrapReports = (reports: JoinedBuffers): (UnwrappedReport | null)[] =>
  mapJoined(reports, (raw) => {
    const unwrapped = unwrapReport(raw);
    // A copy: the view would bring the whole report along.
    return unwrapped && { ...unwrapped, message: Buffer.from(unwrapped.message) };
  });
