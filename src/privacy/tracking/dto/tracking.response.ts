import { ApiProperty } from '@nestjs/swagger';
import type { KeptTracker } from '../detection/tracker';
import type { TrackingScanEntity } from '../tracking-scan.entity';
import type { TrackingStats } from '../tracking.service';

export class TrackedDomainResponse {
  /** Host in lower case.
   * @example "shop.us1.list-manage.com" */
  domain: string;

  /** Trackers of that host. */
  @ApiProperty({ type: 'integer', example: 42 })
  count: number;
}

/** Trackers found in a mailbox so far. */
export class TrackingStatsResponse {
  /** Messages with at least one tracker. */
  @ApiProperty({ type: 'integer', example: 128 })
  trackedMessages: number;

  /** Number of trackers in these messages. */
  @ApiProperty({ type: 'integer', example: 310 })
  totalTrackers: number;

  /** The ten hosts with the most trackers. */
  topDomains: TrackedDomainResponse[];
}

export class TrackerResponse {
  /** `pixel`: an image that reports that the message was opened; `utm`: links with campaign or reader
   * parameters. */
  @ApiProperty({ enum: ['pixel', 'utm'], example: 'pixel' })
  type: 'pixel' | 'utm';

  /** Host the image would be loaded from, or the links lead to; in lower case.
   * @example "shop.us1.list-manage.com" */
  domain: string;

  /** Address of a pixel, at most 2,048 characters. This service never fetches it. Missing for links, and when the archived copy
   * of the message is encrypted. */
  @ApiProperty({
    required: false,
    example: 'https://shop.us1.list-manage.com/track/open.php?u=4c77&id=a1&e=9',
  })
  url?: string;

  /** Names of the parameters of links. Missing for pixels, and when the archived copy of the message is encrypted. */
  @ApiProperty({ required: false, type: [String], example: ['utm_source', 'utm_medium', 'mc_eid'] })
  params?: string[];
}

/** A message with trackers. */
export class TrackingItemResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9b2f-0d6f0e2a4b11' })
  id: string;

  /** @example 1932c5e7d5b7c3a9 */
  mailbox_message_id: string;

  /** @example "Our best deals" */
  subject: string;

  /** @example "Shop News <news@shop.example>" */
  sender: string;

  /** When the message arrived. */
  @ApiProperty({ format: 'date-time', example: '2026-05-04T09:30:00.000Z' })
  date: string;

  /** Trackers: one for each platform (or host, where the platform is not known) and one for each host of links. */
  trackers: TrackerResponse[];

  /** Number of these trackers. */
  @ApiProperty({ type: 'integer', example: 2 })
  tracker_count: number;

  /** When a scan last covered the message. */
  @ApiProperty({ format: 'date-time', example: '2026-05-04T10:00:00.000Z' })
  scanned_at: string;
}

export class TrackingPageResponse {
  /** Messages, the newest first. */
  items: TrackingItemResponse[];

  /** Messages with trackers. */
  @ApiProperty({ type: 'integer', example: 128 })
  total: number;

  @ApiProperty({ type: 'integer', example: 1 })
  page: number;

  /** The limit that was used. */
  @ApiProperty({ type: 'integer', example: 50 })
  limit: number;
}

/** A scan that has been started. */
export class TrackingScanResponse {
  /** Id of the job; `/api/jobs/{jobId}` tells its progress.
   * @example scan_tracking-42 */
  jobId: string;

  /** Description for people.
   * @example "Tracking scan started" */
  message: string;
}

export function toTrackingStatsResponse(stats: TrackingStats): TrackingStatsResponse {
  const { messages, trackers, topDomains } = stats;
  return { trackedMessages: messages, totalTrackers: trackers, topDomains: [...topDomains] };
}

export function toTrackingItemResponse(scan: TrackingScanEntity): TrackingItemResponse {
  return {
    id: scan.id,
    mailbox_message_id: scan.mailboxMessageId,
    subject: scan.subject,
    sender: scan.sender,
    date: scan.date.toISOString(),
    trackers: scan.trackers.map(toTrackerResponse),
    tracker_count: scan.trackerCount,
    scanned_at: scan.scannedAt.toISOString(),
  };
}

function toTrackerResponse({ type, domain, url, params }: KeptTracker): TrackerResponse {
  return { type, domain, url, params: params && [...params] };
}
