import { createHash, type Hash } from 'node:crypto';
import { isSignatureOf } from '../keys/signatures';

/** First field of every statement; it names the format that is described here. */
export const RECEIPT_FORMAT = 'mailroom-offload-receipt-1';

/** Ways to compare copies before their messages are moved, see `docs/offload.md`. */
export const OFFLOAD_MODES = ['strict', 'fast'] as const;
export type OffloadMode = (typeof OFFLOAD_MODES)[number];

/** A message that was moved to the trash, or may have been, with the copy that stays. */
export interface ReceiptItem {
  /** Id of the message at the provider. */
  readonly messageId: string;
  /** Message-ID (RFC 5322), with angle brackets; null when the message has none. */
  readonly messageIdHeader: string | null;
  /** SHA-256 of the message, 64 hex digits. */
  readonly sha256: string;
  /** Bytes of the message. */
  readonly size: number;
  /** Id of the copy in the archive. */
  readonly mailId: string;
  /** Time when the copy was read and found whole, ISO 8601. */
  readonly verifiedAt: string;
  /** Time when the copy was compared with the message at the provider, ISO 8601; null: it was not (`fast`). */
  readonly comparedAt: string | null;
  /** Time when the message was moved, ISO 8601; null with `outcome`. */
  readonly trashedAt: string | null;
  /** Present when the message was being moved as the plan ended: whether it is in the trash was not known. */
  readonly outcome?: 'unknown';
}

/** The statement that is signed. */
export interface ReceiptStatement {
  readonly format: typeof RECEIPT_FORMAT;
  /** Id of the installation: the id of its first key. */
  readonly installation: string;
  readonly account: { readonly id: string; readonly address: string };
  readonly plan: string;
  readonly mode: OffloadMode;
  readonly startedAt: string;
  readonly endedAt: string;
  /** Positions in the provider's history: when the plan was made, and after the last change. */
  readonly historyIds: { readonly from: string; readonly to: string };
  readonly counts: {
    readonly selected: number;
    readonly trashed: number;
    readonly blocked: number;
    /** Number of messages that were neither moved nor blocked when the plan ended. */
    readonly left: number;
    /** Number of messages whose outcome was not known when the plan ended; absent: none. */
    readonly unknown?: number;
  };
  readonly blockedBy: Readonly<Record<string, number>>;
  /** Bytes of the messages in the trash. */
  readonly bytes: number;
  /** Number of the items, and the SHA-256, 64 hex digits, of their lines, each with its line break. */
  readonly items: { readonly count: number; readonly sha256: string };
  /** SHA-256, 64 hex digits, of the account's statement before this one; null for the first. */
  readonly previous: string | null;
}

export interface Receipt {
  /** The signed text itself: JSON of a `ReceiptStatement`. */
  readonly statement: string;
  /** Ed25519 signature of `statement`, base64. */
  readonly signature: string;
  readonly keyId: string;
}

/** A line of the items, with its line break: JSON with the fields in this order. */
export function itemLine(item: ReceiptItem): string {
  const { messageId, messageIdHeader, sha256, size, mailId, verifiedAt, comparedAt, trashedAt, outcome } =
    item;
  // `outcome` is left out of the JSON where it is undefined: lines of messages that were moved keep their original form.
  const line = {
    messageId,
    messageIdHeader,
    sha256,
    size,
    mailId,
    verifiedAt,
    comparedAt,
    trashedAt,
    outcome,
  };
  return `${JSON.stringify(line)}\n`;
}

/** SHA-256 of a text in UTF-8, hex. */
export function textHash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** The message of a plan and its copy, as a person sees them before they confirm. */
export interface DigestedItem {
  readonly messageId: string;
  readonly sha256: string;
  readonly size: number;
}

/**
 * The digest of what a plan would move: SHA-256 over lines `messageId sha256 size`, each with its line break, in the
 * order of the plan.
 */
export class PlanDigest {
  private readonly hash: Hash = createHash('sha256');

  add({ messageId, sha256, size }: DigestedItem): void {
    this.hash.update(`${messageId} ${sha256} ${size}\n`, 'utf8');
  }

  /** The digest, 64 hex digits; can be called once only. */
  digest(): string {
    return this.hash.digest('hex');
  }
}

/** @returns the statement; null when the text is not one */
export function parseStatement(text: string): ReceiptStatement | null {
  try {
    const statement = JSON.parse(text) as Partial<ReceiptStatement> | null;
    return statement?.format === RECEIPT_FORMAT ? (statement as ReceiptStatement) : null;
  } catch {
    return null;
  }
}

/** Whether the statement was signed with the private half of a key. @param publicKey PEM */
export function isSigned({ statement, signature }: Receipt, publicKey: string): boolean {
  return isSignatureOf(statement, publicKey, signature);
}
