import {
  ArchiveStoreEndless,
  ArchiveStoreFull,
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ArchiveStoreUnknown,
} from '../../../archive/files/archive-store.errors';
import {
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnavailable,
} from '../../../providers/port/mail-provider.errors';
import type { Trouble } from '../health/archiving-state';

const PROVIDER = [ProviderRateLimited, ProviderRejected, ProviderUnavailable];
const STORE = [
  ArchiveStoreEndless,
  ArchiveStoreFull,
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ArchiveStoreUnknown,
];

/** What kept mail from being copied; null: the account's state says it, or nothing did. */
export function troubleOf(error: unknown): Trouble | null {
  if (PROVIDER.some((kind) => error instanceof kind)) return 'provider';
  return STORE.some((kind) => error instanceof kind) ? 'store' : null;
}
