import { Injectable } from '@nestjs/common';
import { AccountNotOwned } from '../../platform/access/access.errors';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { ARCHIVE_PROVIDER } from '../../mailbox/accounts/mailbox-account.entity';
import { AppConfig } from '../../platform/config/app-config';
import { EndpointUsage, ProviderUsage, ProviderUsageReport } from '../../providers/port/provider-usage.port';
import { ArchiveWithoutMailbox } from '../../providers/port/mail-provider.errors';
import { limitsOf } from '../../providers/port/provider-limits';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;
const TOP_ENDPOINTS = 10;

export interface QuotaUsage extends Omit<ProviderUsageReport, 'provider' | 'endpoints'> {
  /** Limits in units. */
  readonly limits: { readonly perSecond: number; readonly perMinute: number };
  readonly topEndpoints: readonly EndpointUsage[];
}

/** Limits of the mail providers, and accounts' use of them. */
@Injectable()
export class QuotaService {
  constructor(
    private readonly usage: ProviderUsage,
    private readonly config: AppConfig,
    private readonly audit: AuditTrail,
  ) {}

  /** Limits and use of an account in any state. @throws AccountNotOwned, ArchiveWithoutMailbox */
  async getUsage(userId: string, accountId: string): Promise<QuotaUsage> {
    const { provider, endpoints, ...usage } = await this.usage.report(userId, accountId);
    if (provider === null) throw new AccountNotOwned();
    if (provider === ARCHIVE_PROVIDER) throw new ArchiveWithoutMailbox();
    const { unitsPerSecond, unitsPerMinute } = limitsOf(this.config, provider);
    return {
      ...usage,
      limits: { perSecond: unitsPerSecond, perMinute: unitsPerMinute },
      topEndpoints: endpoints.slice(0, TOP_ENDPOINTS),
    };
  }

  /** Cleans up on request of an administrator, with a record in the audit trail. @returns the number of records deleted */
  async cleanUpNow(): Promise<number> {
    const deleted = await this.cleanUp();
    await this.audit.record({ action: 'quota.cleaned', userId: null, details: { deleted } });
    return deleted;
  }

  /** Deletes the records of all accounts that are older than 30 days. @returns the number of records deleted */
  async cleanUp(): Promise<number> {
    return this.usage.deleteBefore(new Date(Date.now() - KEPT_DAYS * DAY_MS));
  }
}
