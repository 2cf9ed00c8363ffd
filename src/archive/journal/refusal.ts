import { ArrivalsDiskFull } from '../../platform/arrivals/arrivals.errors';
import { isDependencyUnavailable, isSpaceExhausted } from '../../platform/logging/system-errors';
import {
  ArchiveStoreFull,
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ArchiveStoreUnknown,
} from '../files/archive-store.errors';
import { MailboxAccountGone, StorageQuotaExceeded } from '../mails/archive.errors';

/** Reasons for which a message is not taken, as the figures name them. */
export const REFUSALS = [
  'too-large',
  'loop',
  'busy',
  'disk-full',
  'quota-exceeded',
  'store-unavailable',
  'database-unavailable',
  'stopping',
  'failed',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** A message that is not archived. Nothing of it is kept. */
export class MessageRefused extends Error {
  constructor(
    readonly refusal: Refusal,
    cause?: unknown,
  ) {
    super(`The message was refused: ${refusal}`, { cause });
    this.name = 'MessageRefused';
  }
}

/** Why a message was not archived, by the error that archiving it ended with. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof MessageRefused) return error.refusal;
  if (error instanceof StorageQuotaExceeded) return 'quota-exceeded';
  if (error instanceof ArchiveStoreFull || error instanceof ArrivalsDiskFull || isSpaceExhausted(error))
    return 'disk-full';
  if (
    error instanceof ArchiveStoreUnavailable ||
    error instanceof ArchiveStoreRefused ||
    error instanceof ArchiveStoreUnknown
  )
    return 'store-unavailable';
  if (isDependencyUnavailable(error)) return 'database-unavailable';
  return 'failed';
}

/** Whether other messages of the account would meet the same error: then none is tried by itself. */
export const isGeneral = (error: unknown): boolean =>
  error instanceof MailboxAccountGone ||
  ['busy', 'disk-full', 'store-unavailable', 'database-unavailable', 'stopping'].includes(refusalOf(error));
