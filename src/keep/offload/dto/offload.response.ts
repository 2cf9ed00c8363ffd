import { ApiProperty } from '@nestjs/swagger';
import { BLOCK_REASONS } from '../block-reasons';
import type { Allowed, BlockReason } from '../block-reasons';
import type { PublicKey } from '../keys/installation-keys.repository';
import { ITEM_STATES, PLAN_STATUSES } from '../plans/offload-plan';
import type { ItemState, OffloadSelection, PlanStatus } from '../plans/offload-plan';
import type { ListedItem } from '../plans/offload-items.repository';
import type { ShownPlan } from '../plans/offload-plans.service';
import { TRASH_DAYS } from '../plans/offload-plan';
import { OFFLOAD_MODES } from '../receipts/receipt';
import type { OffloadMode } from '../receipts/receipt';
import type { StoredReceipt } from '../receipts/offload-receipts.repository';
import type { OffloadSchedule } from '../schedule/offload-schedules.repository';
import { OffloadAllowDto, OffloadSelectionDto } from './offload.dto';

const ID = { format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' } as const;
const HASH = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';
const TIME = { format: 'date-time', example: '2025-11-21T09:30:00.000Z' } as const;
const NULLABLE_TIME = { ...TIME, type: String, nullable: true } as const;
const NULLABLE_HASH = { type: String, nullable: true, example: HASH } as const;

export class OffloadPlanStartedResponse {
  @ApiProperty(ID)
  planId: string;

  /** The job that makes the plan.
   * @example plan_offload-42 */
  jobId: string;
}

export class OffloadStartedResponse {
  /** The job that moves the messages.
   * @example offload_messages-43 */
  jobId: string;
}

/** A message of a plan, with the archive's data on it. */
export class OffloadMessageResponse {
  /** @example 1932c5e7d5b7c3a9 */
  messageId: string;

  @ApiProperty({ enum: ITEM_STATES, enumName: 'OffloadItemState', example: 'ready' })
  state: ItemState;

  /** Reason why the message stays in the mailbox; null: it does not stay. */
  @ApiProperty({
    type: String,
    enum: [...BLOCK_REASONS, null],
    nullable: true,
    example: null,
  })
  reason: BlockReason | null;

  /** Id of the archived copy; null: there is none. */
  @ApiProperty({ ...ID, type: String, nullable: true })
  mailId: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Your invoice' })
  subject: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Shop <shop@example.org>' })
  sender: string | null;

  @ApiProperty(NULLABLE_TIME)
  date: string | null;

  /** Size of the message, in bytes. */
  @ApiProperty({ type: 'integer', nullable: true, example: 48_210 })
  sizeBytes: number | null;

  /** SHA-256 of the archived message. */
  @ApiProperty(NULLABLE_HASH)
  sha256: string | null;

  /** With `provider-differs`: SHA-256 of what the mailbox holds. */
  @ApiProperty({ ...NULLABLE_HASH, example: null })
  providerSha256: string | null;

  /** Time when the copy was last read and found whole. */
  @ApiProperty(NULLABLE_TIME)
  verifiedAt: string | null;

  /** Time when the copy was compared with the message in the mailbox. */
  @ApiProperty(NULLABLE_TIME)
  comparedAt: string | null;

  @ApiProperty(NULLABLE_TIME)
  trashedAt: string | null;
}

/** A plan. A confirmation moves the messages that the plan counts as offloadable, except those that are blocked by then. */
export class OffloadPlanResponse {
  @ApiProperty(ID)
  id: string;

  /** `stopped`: its job ended early; it can be confirmed again. `expired`: it is too old to be confirmed. */
  @ApiProperty({ enum: PLAN_STATUSES, enumName: 'OffloadPlanStatus', example: 'ready' })
  status: PlanStatus;

  @ApiProperty({ type: OffloadSelectionDto })
  select: OffloadSelection;

  @ApiProperty({ enum: OFFLOAD_MODES, enumName: 'OffloadMode', example: 'strict' })
  mode: OffloadMode;

  @ApiProperty({ type: OffloadAllowDto })
  allow: Allowed;

  /** Whether a schedule made the plan. */
  @ApiProperty({ example: false })
  isScheduled: boolean;

  /** Number of messages found; null, as in the fields that follow, while the plan is being made. */
  @ApiProperty({ type: 'integer', nullable: true, example: 5_000 })
  selected: number | null;

  /** Number of messages that can be moved; `count` of the confirmation. */
  @ApiProperty({ type: 'integer', nullable: true, example: 4_780 })
  offloadable: number | null;

  /** Number of messages that stay, as of now. */
  @ApiProperty({ type: 'integer', nullable: true, example: 220 })
  blocked: number | null;

  /** Numbers of the messages that stay, by reason. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    nullable: true,
    example: { starred: 20, 'not-archived': 200 },
  })
  blockedBy: Record<string, number> | null;

  /** Messages moved so far. */
  @ApiProperty({ type: 'integer', nullable: true, example: 0 })
  trashed: number | null;

  /**
   * Messages that are being moved just now. Of a plan that was stopped or is done: messages of which it is not known whether
   * they were moved.
   */
  @ApiProperty({ type: 'integer', nullable: true, example: 0 })
  unknown: number | null;

  /** Bytes of the offloadable messages. */
  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: 2_040_109_465 })
  bytes: number | null;

  /**
   * Days after which Gmail empties its trash and the space is free. IMAP servers empty theirs as they are configured.
   * @example 30
   */
  @ApiProperty({ type: 'integer' })
  spaceFreedAfterDays: number;

  /** Number of offloadable messages whose copies are encrypted: `strict` needs the passphrase for them. */
  @ApiProperty({ type: 'integer', nullable: true, example: 0 })
  encrypted: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 0 })
  starred: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 0 })
  important: number | null;

  /** Date of the oldest offloadable message. */
  @ApiProperty(NULLABLE_TIME)
  oldest: string | null;

  @ApiProperty(NULLABLE_TIME)
  newest: string | null;

  /** The first offloadable messages; empty in lists. */
  @ApiProperty({ type: [OffloadMessageResponse] })
  sample: OffloadMessageResponse[];

  /** Upper bound of the quota units that moving the messages takes. */
  @ApiProperty({ type: 'integer', nullable: true, example: 96_000 })
  units: number | null;

  /** Minutes that moving the messages takes at the pace of the provider's quota. */
  @ApiProperty({ type: 'integer', nullable: true, example: 16 })
  minutes: number | null;

  /** SHA-256 over lines `messageId sha256 size` of the offloadable messages. */
  @ApiProperty(NULLABLE_HASH)
  digest: string | null;

  /** Time until which the plan can be confirmed. */
  @ApiProperty(NULLABLE_TIME)
  expiresAt: string | null;

  /** The job that makes the plan. */
  @ApiProperty({ type: String, nullable: true, example: 'plan_offload-42' })
  planJobId: string | null;

  /** The job that moves the messages. */
  @ApiProperty({ type: String, nullable: true, example: 'offload_messages-43' })
  jobId: string | null;

  @ApiProperty(TIME)
  createdAt: string;

  @ApiProperty(NULLABLE_TIME)
  startedAt: string | null;

  @ApiProperty(NULLABLE_TIME)
  endedAt: string | null;
}

export class OffloadPlansResponse {
  @ApiProperty({ type: [OffloadPlanResponse] })
  items: OffloadPlanResponse[];

  /** `after` of the next page; null: there is none. */
  @ApiProperty({ ...ID, type: String, nullable: true })
  next: string | null;
}

export class OffloadMessagesResponse {
  @ApiProperty({ type: [OffloadMessageResponse] })
  items: OffloadMessageResponse[];

  /** `after` of the next page; null: there is none. */
  @ApiProperty({ type: 'integer', nullable: true, example: 49 })
  next: number | null;
}

/** A receipt in the form in which it is verified: the signature is of the bytes of `statement`. */
export class OffloadReceiptResponse {
  /** The signed text itself: JSON.
   * @example "{\"format\":\"mailroom-offload-receipt-1\"}" */
  statement: string;

  /** Ed25519, base64.
   * @example "4J8C0vC3Zy1mQ0Z6c3R1dnd4eXo=" */
  signature: string;

  /** The key that it was signed with, see `/api/offload/keys`.
   * @example 6f1ed002ab5595859014ebf0951522d9 */
  keyId: string;
}

export class ListedReceiptResponse extends OffloadReceiptResponse {
  @ApiProperty(ID)
  planId: string;

  @ApiProperty(TIME)
  createdAt: string;
}

export class OffloadReceiptsResponse {
  @ApiProperty({ type: [ListedReceiptResponse] })
  items: ListedReceiptResponse[];

  /** `after` of the next page; null: there is none. */
  @ApiProperty({ ...ID, type: String, nullable: true })
  next: string | null;
}

/** A key with which this installation signs, or signed. */
export class SigningKeyResponse {
  /** First 16 bytes of the SHA-256 of the key, hex.
   * @example 6f1ed002ab5595859014ebf0951522d9 */
  keyId: string;

  /** Ed25519, in PEM.
   * @example "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA…\n-----END PUBLIC KEY-----\n" */
  publicKey: string;

  @ApiProperty(TIME)
  createdAt: string;
}

export class OffloadScheduleResponse {
  @ApiProperty({ type: OffloadSelectionDto })
  select: OffloadSelection;

  @ApiProperty({ enum: OFFLOAD_MODES, enumName: 'OffloadMode', example: 'strict' })
  mode: OffloadMode;

  /** @example 90 */
  @ApiProperty({ type: 'integer' })
  graceDays: number;

  /** @example 1000 */
  @ApiProperty({ type: 'integer' })
  maxPerNight: number;

  /** @example true */
  isActive: boolean;

  @ApiProperty(TIME)
  updatedAt: string;
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

export const toOffloadMessageResponse = (item: ListedItem): OffloadMessageResponse => ({
  messageId: item.messageId,
  state: item.state,
  reason: item.reason,
  mailId: item.mailId,
  subject: item.subject,
  sender: item.sender,
  date: iso(item.date),
  sizeBytes: item.sizeBytes,
  sha256: item.sha256,
  providerSha256: item.providerSha256,
  verifiedAt: iso(item.verifiedAt),
  comparedAt: iso(item.comparedAt),
  trashedAt: iso(item.trashedAt),
});

export function toOffloadPlanResponse({ plan, costs, sample }: ShownPlan): OffloadPlanResponse {
  const { figures, counts } = plan;
  return {
    id: plan.id,
    status: plan.status,
    select: plan.selection,
    mode: plan.mode,
    allow: plan.allowed,
    isScheduled: plan.isScheduled,
    selected: figures?.selected ?? null,
    offloadable: figures?.offloadable ?? null,
    blocked: counts?.blocked ?? null,
    blockedBy: counts ? { ...counts.blockedBy } : null,
    trashed: counts?.trashed ?? null,
    unknown: counts ? (counts.unknown ?? 0) : null,
    bytes: figures?.bytes ?? null,
    spaceFreedAfterDays: TRASH_DAYS,
    encrypted: figures?.encrypted ?? null,
    starred: figures?.starred ?? null,
    important: figures?.important ?? null,
    oldest: figures?.oldest ?? null,
    newest: figures?.newest ?? null,
    sample: sample.map(toOffloadMessageResponse),
    units: costs?.units ?? null,
    minutes: costs?.minutes ?? null,
    digest: plan.digest,
    expiresAt: iso(plan.expiresAt),
    planJobId: plan.planJobId,
    jobId: plan.jobId,
    createdAt: plan.createdAt.toISOString(),
    startedAt: iso(plan.startedAt),
    endedAt: iso(plan.endedAt),
  };
}

/** @param limit of the page: a full one has a next */
export function toPlansResponse(plans: readonly ShownPlan[], limit: number): OffloadPlansResponse {
  const last = plans.length === limit ? plans.at(-1) : undefined;
  return { items: plans.map(toOffloadPlanResponse), next: last?.plan.id ?? null };
}

/** @param limit of the page: a full one has a next */
export function toMessagesResponse(items: readonly ListedItem[], limit: number): OffloadMessagesResponse {
  const last = items.length === limit ? items.at(-1) : undefined;
  return { items: items.map(toOffloadMessageResponse), next: last?.position ?? null };
}

export const toReceiptResponse = ({
  statement,
  signature,
  keyId,
}: StoredReceipt): OffloadReceiptResponse => ({ statement, signature, keyId });

/** @param limit of the page: a full one has a next */
export function toReceiptsResponse(
  receipts: readonly StoredReceipt[],
  limit: number,
): OffloadReceiptsResponse {
  const last = receipts.length === limit ? receipts.at(-1) : undefined;
  const items = receipts.map((receipt) => ({
    planId: receipt.planId,
    createdAt: receipt.createdAt.toISOString(),
    ...toReceiptResponse(receipt),
  }));
  return { items, next: last?.planId ?? null };
}

export const toSigningKeyResponse = ({ keyId, publicKey, createdAt }: PublicKey): SigningKeyResponse => ({
  keyId,
  publicKey,
  createdAt: createdAt.toISOString(),
});

export const toOffloadScheduleResponse = (schedule: OffloadSchedule): OffloadScheduleResponse => ({
  select: schedule.selection,
  mode: schedule.mode,
  graceDays: schedule.graceDays,
  maxPerNight: schedule.maxPerNight,
  isActive: schedule.isActive,
  updatedAt: schedule.updatedAt.toISOString(),
});
