import { ApiProperty } from '@nestjs/swagger';
import {
  DIFFERENT_CHOICES,
  type DifferentChoice,
  ITEM_STATES,
  type ItemState,
  LABEL_CHOICES,
  type LabelChoice,
  RESTORE_NOTES,
  RESTORE_OUTCOMES,
  RESTORE_STATUSES,
  type RestoreNote,
  type RestoreOutcome,
  type RestoreStatus,
} from '../restore.entity';
import type { NoteCounts, OutcomeCounts } from '../restore-counts';
import type { ListedItem } from '../restore-items.repository';
import type { DescribedRestore } from '../restores.service';
import type { Restore } from '../restores.repository';

export class RestoreJobResponse {
  /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  restoreId: string;

  /** Id of the job; see `GET /api/jobs/{jobId}`.
   * @example restore_mails-42 */
  jobId: string;
}

/** The server of a restore. */
export class ImapTargetResponse {
  /** @example imap.example.com */
  host: string;
  @ApiProperty({ type: 'integer', example: 993 })
  port: number;
  /** @example true */
  secure: boolean;
  /** @example alice@example.com */
  user: string;
  @ApiProperty({ type: String, nullable: true, example: 'Restored/2026' })
  root: string | null;
}

/** Numbers of mails by outcome; those without an outcome are `waiting`. */
export class RestoreCountsResponse implements OutcomeCounts {
  @ApiProperty({ type: 'integer', example: 0 })
  waiting: number;
  /** Mails taken out of the trash, with their ids, dates and conversations. */
  @ApiProperty({ type: 'integer', example: 120 })
  untrashed: number;
  @ApiProperty({ type: 'integer', example: 1_180 })
  inserted: number;
  /** Mails that the mailbox had already, equal in every byte. */
  @ApiProperty({ type: 'integer', example: 8 })
  alreadyThere: number;
  /** Mails left out because another message with the same Message-ID was there. */
  @ApiProperty({ type: 'integer', example: 1 })
  sameIdDiffers: number;
  @ApiProperty({ type: 'integer', example: 0 })
  tooLarge: number;
  /** Encrypted mails for which there was no passphrase. */
  @ApiProperty({ type: 'integer', example: 0 })
  encrypted: number;
  /** Mails whose copies are missing or altered. */
  @ApiProperty({ type: 'integer', example: 0 })
  damaged: number;
  @ApiProperty({ type: 'integer', example: 1 })
  failed: number;
}

/** Numbers of mails with a note. */
export class RestoreNotesResponse implements NoteCounts {
  /** Mails whose dates in the mailbox differ by more than a minute. */
  @ApiProperty({ type: 'integer', example: 0 })
  dateDiffers: number;
  /** Mails that did not get all of their labels. */
  @ApiProperty({ type: 'integer', example: 0 })
  labelRefused: number;
  /** Mails that are not in the conversation of the others. */
  @ApiProperty({ type: 'integer', example: 0 })
  threadNotKept: number;
  /** Mails of which every byte arrived, and to which the provider has added header fields. */
  @ApiProperty({ type: 'integer', example: 0 })
  fieldsAdded: number;
  /** Mails that differ from what was sent. */
  @ApiProperty({ type: 'integer', example: 0 })
  bytesDiffer: number;
}

/** A mail that is restored, as an example. */
export class RestoreSampleResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  mailId: string;
  /** @example "Your invoice" */
  subject: string;
  /** @example "Alice <alice@example.com>" */
  sender: string;
  @ApiProperty({ format: 'date-time', example: '2024-02-29T12:34:56.000Z' })
  date: string;
  @ApiProperty({ type: 'integer', example: 48_213 })
  sizeBytes: number;
}

/** A restore, from its dry run to its end. */
export class RestoreSummaryResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  id: string;
  /**
   * `planning`: the dry run is under way; `ready`: it can be started; `running`; `done`; `stopped`: its job has ended before
   * the work was done.
   */
  @ApiProperty({ enum: RESTORE_STATUSES, example: 'done' })
  status: RestoreStatus;
  /** The mailbox that mail is restored to; null for a server. */
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
  })
  targetAccountId: string | null;
  @ApiProperty({ type: () => ImapTargetResponse, nullable: true })
  imap: ImapTargetResponse | null;
  @ApiProperty({ enum: LABEL_CHOICES, example: 'original' })
  labels: LabelChoice;
  @ApiProperty({ type: String, nullable: true, example: 'Restored' })
  addLabel: string | null;
  @ApiProperty({ enum: DIFFERENT_CHOICES, example: 'skip' })
  onDifferent: DifferentChoice;
  /** @example true */
  verify: boolean;
  /** Total number of mails, once the dry run has counted them. */
  @ApiProperty({ type: 'integer', example: 1_310 })
  mails: number;
  @ApiProperty({ type: 'integer', example: 91_226_112 })
  bytes: number;
  /** Number of encrypted mails: starting the restore takes their passphrase. */
  @ApiProperty({ type: 'integer', example: 0 })
  encrypted: number;
  /** Number of mails that the mailbox does not accept. */
  @ApiProperty({ type: 'integer', example: 0 })
  tooLarge: number;
  /** @example ["Work/2020"] */
  labelsToCreate: string[];
  /** Units of the provider's quota that the restore takes; null for a server. */
  @ApiProperty({ type: 'integer', nullable: true, example: 65_500 })
  units: number | null;
  /** Minutes that the restore takes at the pace of the quota; null for a server. */
  @ApiProperty({ type: 'integer', nullable: true, example: 11 })
  minutes: number | null;
  /**
   * Id of the restore's last job.
   * @example restore_mails-42
   */
  jobId: string;
  @ApiProperty({ format: 'date-time', example: '2026-02-28T12:34:56.000Z' })
  createdAt: string;
  /** Time until which the restore can be started, or continued. */
  @ApiProperty({ format: 'date-time', example: '2026-03-01T12:34:56.000Z' })
  expiresAt: string;
}

export class RestoreResponse extends RestoreSummaryResponse {
  @ApiProperty({ type: () => RestoreCountsResponse })
  counts: RestoreCountsResponse;
  @ApiProperty({ type: () => RestoreNotesResponse })
  notes: RestoreNotesResponse;
  /** Sample of the mails: the oldest, 20 at most. */
  @ApiProperty({ type: () => [RestoreSampleResponse] })
  sample: RestoreSampleResponse[];
  /**
   * The day (UTC) on which the last mail will have been sent, at the earliest, because the provider limits the bytes of a
   * day; null: within a day, or no limit is known.
   */
  @ApiProperty({ type: String, format: 'date', nullable: true, example: '2026-12-17' })
  completesOn: string | null;
}

export class RestorePageResponse {
  @ApiProperty({ type: () => [RestoreSummaryResponse] })
  items: RestoreSummaryResponse[];
  /** `after` of the next page; null: this is the last. */
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
  })
  next: string | null;
}

/** A mail of a restore. */
export class RestoreItemResponse {
  @ApiProperty({ type: 'integer', example: 0 })
  position: number;
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  mailId: string;
  /** `inserting`: it is not known yet whether the mail is there; `arrived`: it is there, and has not been compared yet. */
  @ApiProperty({ enum: ITEM_STATES, example: 'done' })
  state: ItemState;
  @ApiProperty({ type: String, enum: [...RESTORE_OUTCOMES, null], nullable: true, example: 'inserted' })
  outcome: RestoreOutcome | null;
  @ApiProperty({ enum: RESTORE_NOTES, isArray: true, example: [] })
  notes: RestoreNote[];
  /** Stable code of the reason for `damaged` and `failed`. */
  @ApiProperty({ type: String, nullable: true, example: 'copy-missing' })
  reason: string | null;
  /** Id of the message in the mailbox, or of the one that is there in its place. */
  @ApiProperty({ type: String, nullable: true, example: '18c2f1a9b3d4e5f6' })
  targetId: string | null;
  /** SHA-256 of the message, hex; null: it has not been read. */
  @ApiProperty({
    type: String,
    nullable: true,
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256: string | null;
  /** Subject; null: the mail has been deleted from the archive. */
  @ApiProperty({ type: String, nullable: true, example: 'Your invoice' })
  subject: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'Alice <alice@example.com>' })
  sender: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2024-02-29T12:34:56.000Z' })
  date: string | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 48_213 })
  sizeBytes: number | null;
}

export class RestoreItemsResponse {
  @ApiProperty({ type: () => [RestoreItemResponse] })
  items: RestoreItemResponse[];
  /** `after` of the next page; null: this is the last. */
  @ApiProperty({ type: 'integer', nullable: true, example: 99 })
  next: number | null;
}

export const toRestoreSummary = (restore: Restore): RestoreSummaryResponse => ({
  id: restore.id,
  status: restore.status,
  targetAccountId: restore.targetAccountId,
  imap: restore.imap && {
    host: restore.imap.host,
    port: restore.imap.port,
    secure: restore.imap.secure,
    user: restore.imap.user,
    root: restore.imap.root,
  },
  labels: restore.labels,
  addLabel: restore.addLabel,
  onDifferent: restore.onDifferent,
  verify: restore.verify,
  mails: restore.mails,
  bytes: restore.bytes,
  encrypted: restore.encrypted,
  tooLarge: restore.tooLarge,
  labelsToCreate: [...restore.labelsToCreate],
  units: restore.units,
  minutes: restore.minutes,
  jobId: restore.jobId,
  createdAt: restore.createdAt.toISOString(),
  expiresAt: restore.expiresAt.toISOString(),
});

export const toRestoreItem = (item: ListedItem): RestoreItemResponse => ({
  position: item.position,
  mailId: item.mailId,
  state: item.state,
  outcome: item.outcome,
  notes: [...item.notes],
  reason: item.reason,
  targetId: item.targetId,
  sha256: item.sha256,
  subject: item.subject,
  sender: item.sender,
  date: item.date?.toISOString() ?? null,
  sizeBytes: item.sizeBytes,
});

export const toRestoreResponse = ({
  restore,
  counts,
  waiting,
  notes,
  sample,
  completesAt,
}: DescribedRestore): RestoreResponse => ({
  ...toRestoreSummary(restore),
  counts: { waiting, ...counts },
  notes,
  sample: sample.flatMap(({ mailId, subject, sender, date, sizeBytes }) =>
    subject === null || sender === null || date === null || sizeBytes === null
      ? []
      : [{ mailId, subject, sender, date: date.toISOString(), sizeBytes }],
  ),
  completesOn: completesAt && completesAt.toISOString().slice(0, 10),
});

/** The report of a restore: one line of JSON per mail. */
export async function* reportLines(pages: AsyncIterable<readonly ListedItem[]>): AsyncGenerator<Buffer> {
  for await (const page of pages) {
    const lines = page.map((item) => `${JSON.stringify(toRestoreItem(item))}\n`);
    yield Buffer.from(lines.join(''));
  }
}
