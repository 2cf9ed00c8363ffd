import { Injectable } from '@nestjs/common';
import { EgressGuard, EgressRefused, HostUnknown } from '../../../platform/egress/egress-guard';
import { ValidationFailed } from '../../../platform/http/domain-error';
import { JobsService, StartedJob } from '../../../platform/jobs/jobs.service';
import type { ImportImapDto } from '../dto/imports.dto';
import { ImportImap, type ImportImapSecrets } from './import-imap.job';
import { normalizedHost } from '../../../platform/validation/host-name';

/** Starts imports from IMAP servers. */
@Injectable()
export class ImapImportsService {
  constructor(
    private readonly jobs: JobsService,
    private readonly egress: EgressGuard,
  ) {}

  /** Starts a job that imports a folder. @throws ValidationFailed when the service does not connect to the host */
  async start(userId: string, accountId: string, request: ImportImapDto): Promise<StartedJob> {
    const { pass, ...given } = request;
    const host = normalizedHost(given.host) as string;
    await this.checkHost(host, userId);
    const payload = {
      host,
      port: given.port ?? 993,
      secure: given.secure ?? true,
      user: given.user,
      folder: given.folder ?? 'INBOX',
      ...(given.maxMessages == null ? {} : { maxMessages: given.maxMessages }),
    };
    const secrets: ImportImapSecrets = { pass };
    return this.jobs.start(ImportImap, { userId, accountId }, payload, { secrets });
  }

  /** Reports a refused host at once; the job checks again before it connects, and reports unknown names. */
  private async checkHost(host: string, userId: string): Promise<void> {
    try {
      await this.egress.resolve(host, userId);
    } catch (error) {
      if (error instanceof HostUnknown) return;
      if (!(error instanceof EgressRefused)) throw error;
      throw new ValidationFailed([
        { field: 'host', message: 'host leads to an address this service does not connect to' },
      ]);
    }
  }
}
