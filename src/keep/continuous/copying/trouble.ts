import { Logger } from '@nestjs/common';
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
import { JobInterrupted } from '../../../platform/jobs/jobs.errors';
import type { ArchivingTrouble } from '../settings/archiving-settings.entity';
import type { ArchivingSettingsRepository } from '../settings/archiving-settings.repository';

const logger = new Logger('ContinuousArchiver');

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

/** Runs work, and records what kept it from copying, for the account's state. */
export async function recordTrouble(
  settings: ArchivingSettingsRepository,
  accountId: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
    await settings.setTrouble(accountId, null);
  } catch (error) {
    const trouble = error instanceof JobInterrupted ? null : troubleOf(error);
    if (trouble) {
      logger.debug(`Archiving of ${accountId} waits for the ${trouble}: ${String(error)}`);
      await settings.setTrouble(accountId, trouble);
    }
    throw error;
  }
}
