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
import type { ArchivingTrouble } from '../settings/archiving-settings.entity';

const PROVIDER = [ProviderRateLimited, ProviderRejected, ProviderUnavailable];
const STORE = [
  ArchiveStoreEndless,
  ArchiveStoreFull,
  ArchiveStoreRefused,
  ArchiveStoreUnavailable,
  ArchiveStoreUnknown,
];

/** The party that kept mail from being copied; null: the account's state says it, or none did. */
export function troubleOf(error: unknown): ArchivingTrouble | null {
  if (PROVIDER.some((kind) => error instanceof kind)) return 'provider';
  return STORE.some((kind) => error instanceof kind) ? 'store' : null;
}
