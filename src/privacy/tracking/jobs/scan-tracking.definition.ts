import { defineJob, Lane } from '../../../common/jobs/job-definition';
import { StartTrackingScanDto } from '../dto/start-tracking-scan.dto';

/** Apart from its handler, which the service that starts it does not need. */
export const ScanTracking = defineJob('scan_tracking', { lane: Lane.Scan, payload: StartTrackingScanDto });
