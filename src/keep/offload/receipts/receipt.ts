import { createHash, type Hash } from 'node:crypto';
import { isSignatureOf } from '../keys/signatures';

/** The first field of every statement: what follows is as described here. */
export const RECEIPT_FORMAT = 'mailroom-offload-receipt-1';

/** How copies are compared before their messages go, see `docs/offload.md`. */
export const OFFLOAD_MODES = ['strict', 'fast'] as const;
export type OffloadMode = (typeof OFFLOAD_MODES)[number];

/** A message that was moved to the trash, or may have been, with the copy that stays. */
export interface ReceiptItem {
  /** The provider's. */
  readonly messageId: string;
  /** RFC 5322, with angle brackets. */
  readonly messageIdHeader: string | null;
  /** Of the message, hex. */
  readonly sha256: string;
  /** Bytes of the message. */
  readonly size: number;
  /** Of the copy in the archive. */
  readonly mailId: string;
  /** When the copy was read and found whole, ISO 8601. */
  readonly verifiedAt: string;
  /** When it was compared with what the provider holds; null: it was not (`fast`). */
  readonly comparedAt: string | null;
  /** null with `outcome`. */
  readonly trashedAt: string | null;
  /** Only of a message that was being moved when the plan ended: whether it is in the trash was not known. */
  readonly outcome?: 'unknown';
}

/** What the signature is about. */
export interface ReceiptStatement {
  readonly format: typeof RECEIPT_FORMAT;
  /** The id of the installation's first key. */
  readonly installation: string;
  readonly account: { readonly id: string; readonly address: string };
  readonly plan: string;
  readonly mode: OffloadMode;
  readonly startedAt: string;
  readonly endedAt: string;
  /** Positions in the provider's history: of the plan, and of the last change. */
  readonly historyIds: { readonly from: string; readonly to: string };
  readonly counts: {
    readonly selected: number;
    readonly trashed: number;
    readonly blocked: number;
    /** Neither: the plan ended before. */
    readonly left: number;
    /** Being moved when the plan ended, and it could not be learnt whether they were; absent: none. */
    readonly unknown?: number;
  };
  readonly blockedBy: Readonly<Record<string, number>>;
  /** Of the messages in the trash. */
  readonly bytes: number;
  /** The SHA-256, in hex, is of the lines of the items, each with its line break. */
  readonly items: { readonly count: number; readonly sha256: string };
  /** SHA-256, in hex, of the statement before of the same account; null for the first. */
  readonly previous: string | null;
}

export interface Receipt {
  /** The signed text itself: JSON of a `ReceiptStatement`. */
  readonly statement: string;
  /** Ed25519, base64. */
  readonly signature: string;
  readonly keyId: string;
}

/** A line of the items, with its line break: JSON with its fields in this order. */
export function itemLine(item: ReceiptItem): string {
  const { messageId, messageIdHeader, sha256, size, mailId, verifiedAt, comparedAt, trashedAt, outcome } =
    item;
  // Left out of the JSON where it is undefined: lines of messages that were moved stay as they always were.
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

  /** Hex; to be called once. */
  digest(): string {
    return this.hash.digest('hex');
  }
}

/** @returns the statement; null when the text is none */
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
