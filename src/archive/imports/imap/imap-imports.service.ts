import { Injectable } from '@nestjs/common';
import { EgressGuard, EgressRefused, HostUnknown } from '../../../platform/egress/egress-guard';
import { ValidationFailed } from '../../../platform/http/domain-error';
import { JobsService, StartedJob } from '../../../platform/jobs/jobs.service';
import type { ImportImapDto } from '../dto/imports.dto';
import type { ImapServerDto } from '../dto/imap-server.dto';
import { ImportImap, type ImportImapSecrets } from './import-imap.job';
import { normalizedHost } from '../../../platform/validation/host-name';
import { timeoutSignal } from '../../../platform/concurrency/timers';
import { presetOfHost } from '../../../providers/imap/login/imap-presets';
import { ImapServerFailure } from '../../../providers/imap/one-time/imap-server-failure';
import { OneTimeLimits } from '../../../providers/imap/one-time/one-time-limits';
import { OneTimeSessions } from '../../../providers/imap/one-time/one-time-sessions';
import { ImportServerFailed } from '../imports.errors';
import { forecastImport, type ImportForecast } from './import-forecast';
import { ImportedFolder } from './imported-folder';

/** Timeout of a forecast, in milliseconds. */
const FORECAST_MS = 45_000;

/** Starts imports from IMAP servers, and forecasts them. */
@Injectable()
export class ImapImportsService {
  constructor(
    private readonly jobs: JobsService,
    private readonly egress: EgressGuard,
    private readonly sessions: OneTimeSessions,
    private readonly limits: OneTimeLimits,
  ) {}

  /** Starts a job that imports a folder. @throws ValidationFailed when the service does not connect to the host */
  async start(userId: string, accountId: string, request: ImportImapDto): Promise<StartedJob> {
    const { pass, ...given } = request;
    const host = normalizedHost(given.host) as string;
    await this.checkHost(host, userId);
    const payload = {
      ...serverOf(host, given),
      folder: given.folder ?? 'INBOX',
      ...(given.maxMessages == null ? {} : { maxMessages: given.maxMessages }),
    };
    const secrets: ImportImapSecrets = { pass };
    return this.jobs.start(ImportImap, { userId, accountId }, payload, { secrets });
  }

  /**
   * Logs in to the server and forecasts an import, without starting it.
   * @throws ValidationFailed when the service does not connect to the host
   * @throws ImportServerFailed
   */
  async forecast(userId: string, request: ImportImapDto, signal: AbortSignal): Promise<ImportForecast> {
    const host = normalizedHost(request.host) as string;
    await this.checkHost(host, userId);
    const clock = timeoutSignal(FORECAST_MS);
    try {
      const server = { ...serverOf(host, request), pass: request.pass };
      const session = await this.sessions.open(server, userId, AbortSignal.any([signal, clock]));
      try {
        return await forecastImport(
          { preset: presetOfHost(host)?.id ?? null, gmailLabels: session.has('X-GM-EXT-1') },
          () => ImportedFolder.open(session, request.folder ?? 'INBOX', this.limits),
          request.maxMessages ?? null,
          new Date(),
        );
      } finally {
        session.close();
      }
    } catch (error) {
      if (clock.aborted) throw new ImportServerFailed(new ImapServerFailure('imap-too-slow', TOO_SLOW));
      if (error instanceof ImapServerFailure) throw new ImportServerFailed(error);
      if (error instanceof EgressRefused) throw hostRefused();
      throw error;
    }
  }

  /** Reports a refused host at once; the job checks again before it connects, and reports unknown names. */
  private async checkHost(host: string, userId: string): Promise<void> {
    try {
      await this.egress.resolve(host, userId);
    } catch (error) {
      if (error instanceof HostUnknown) return;
      if (!(error instanceof EgressRefused)) throw error;
      throw hostRefused();
    }
  }
}

const TOO_SLOW = 'The server took more than 45 seconds to describe the folder.';

const serverOf = (
  host: string,
  { port, secure, user }: ImapServerDto,
): { host: string; port: number; secure: boolean; user: string } => ({
  host,
  port: port ?? 993,
  secure: secure ?? true,
  user,
});

const hostRefused = (): ValidationFailed =>
  new ValidationFailed([
    { field: 'host', message: 'host leads to an address this service does not connect to' },
  ]);
