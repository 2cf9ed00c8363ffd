import { Injectable, Logger } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { LeaseHeartbeat } from '../../../platform/database/lease-heartbeat';
import { HeldWork } from '../../../platform/database/lease-worker';
import { newId } from '../../../platform/crypto/ids';
import type { Lease } from '../../../platform/database/leased-rows';
import { Transactions } from '../../../platform/database/transactions';
import { ResourceNotFound } from '../../../platform/http/domain-error';
import { AppConfig } from '../../../platform/config/app-config';
import type { JobDefinition } from '../../../platform/jobs/job-definition';
import { parseJobReference } from '../../../platform/jobs/job-record';
import { JobsService, type StartedJob } from '../../../platform/jobs/jobs.service';
import type { UploadedFile } from '../import-uploads.service';
import { ImportUploadsRepository } from '../import-uploads.repository';
import {
  UploadBusy,
  UploadIncomplete,
  UploadOffsetWrong,
  UploadSpaceExhausted,
  UploadTooLarge,
} from '../imports.errors';
import { PAUSED_MS, UploadAllowancesService } from '../upload-allowances.service';
import { UploadDirectory } from '../upload-directory';
import { shownName } from '../upload-receiver';
import { ChunkReceiver } from './chunk-receiver';
import { ResumableUpload, ResumableUploadsRepository, UploadOwner } from './resumable-uploads.repository';

/** Most bytes of a chunk: little is lost with a connection, and a sync for each chunk costs little. */
export const CHUNK_BYTES = 16 * 1024 * 1024;
/** Duration of a lease. After its process was killed, an upload can go on five seconds after the lease has ended. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5_000;

/** Time at which an upload is given up unless another chunk arrives. */
export const expiryOf = ({ touchedAt }: ResumableUpload): Date => new Date(touchedAt.getTime() + PAUSED_MS);

/**
 * Uploads that are made in chunks, and can go on after a pause, a lost connection or a restart. A chunk counts when it is
 * on disk and its row says so; bytes on disk beyond that are written again.
 */
@Injectable()
export class ResumableUploadsService {
  private readonly logger = new Logger(ResumableUploadsService.name);
  private readonly heartbeat = new LeaseHeartbeat<object>({
    leaseMs: LEASE_MS,
    everyMs: RENEW_EVERY_MS,
    renew: (leases) => this.repository.renew(leases, LEASE_MS),
    logger: this.logger,
  });

  constructor(
    private readonly repository: ResumableUploadsRepository,
    private readonly uploads: ImportUploadsRepository,
    private readonly allowances: UploadAllowancesService,
    private readonly receiver: ChunkReceiver,
    private readonly directory: UploadDirectory,
    private readonly jobs: JobsService,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /** @throws TooManyJobs, UploadTooLarge, TooManyUploads, UploadOverQuota, UploadSpaceExhausted */
  async create(
    owner: UploadOwner,
    file: { readonly filename: string; readonly size: number },
  ): Promise<ResumableUpload> {
    const limit = this.config.storage.maxUploadBytes;
    if (file.size > limit) throw new UploadTooLarge(limit);
    await this.jobs.ensureRoomToStart(owner.userId);
    const id = newId();
    await this.allowances.hold({ id, ...owner }, file.size);
    try {
      // The room is checked but not kept, because chunks may come late or never.
      if (!(await this.directory.keepRoom(id, file.size))) throw new UploadSpaceExhausted();
      const upload = await this.repository.begin(id, shownName(file.filename));
      if (!upload) throw new ResourceNotFound('upload');
      return upload;
    } catch (error) {
      await this.uploads.delete(id);
      throw error;
    } finally {
      this.directory.releaseRoom(id);
    }
  }

  list(owner: UploadOwner): Promise<ResumableUpload[]> {
    return this.repository.listOwned(owner);
  }

  /** @throws ResourceNotFound when it does not exist, is complete or has expired */
  async get(owner: UploadOwner, uploadId: string): Promise<ResumableUpload> {
    const upload = await this.repository.findOwned(owner, uploadId);
    if (!upload) throw new ResourceNotFound('upload');
    return upload;
  }

  /**
   * Adds the body of a request to an upload. If it breaks off, the bytes that have arrived still count.
   * @throws ResourceNotFound, UploadOffsetWrong, UploadBusy, UploadChunkTooLarge, UploadSpaceExhausted, UploadStalled,
   *   UploadMissing
   */
  async append(
    owner: UploadOwner,
    uploadId: string,
    offset: number,
    request: IncomingMessage,
  ): Promise<ResumableUpload> {
    const { lease, sizeBytes } = await this.claim(owner, uploadId, offset);
    const lost = new AbortController();
    const held = new HeldWork(lease, LEASE_MS, lost);
    this.heartbeat.add(held);
    let upload: ResumableUpload | null = null;
    try {
      const most = Math.min(CHUNK_BYTES, sizeBytes - offset);
      const chunk = { uploadId, offset, most, signal: lost.signal };
      const { bytes, failure } = await this.receiver.receive(request, chunk);
      upload = await this.repository.advance(lease, offset + bytes);
      if (!upload || lost.signal.aborted) throw new UploadBusy();
      if (failure) throw failure;
      return upload;
    } finally {
      this.heartbeat.remove(held);
      if (!upload) await this.repository.release([lease]);
    }
  }

  /** Gives up an upload that is not complete. @throws ResourceNotFound */
  async delete(owner: UploadOwner, uploadId: string): Promise<void> {
    if (!(await this.repository.deleteOwned(owner, uploadId))) throw new ResourceNotFound('upload');
    await this.directory.delete(uploadId);
  }

  /**
   * Starts the job that imports an upload. A repeated call returns the same job.
   * @throws ResourceNotFound, UploadIncomplete, UploadMissing, TooManyJobs, IdempotencyKeyReused
   */
  async complete(
    owner: UploadOwner,
    uploadId: string,
    definition: JobDefinition<UploadedFile>,
  ): Promise<StartedJob> {
    const existing = await this.jobOf(owner, uploadId, definition.kind);
    if (existing) return existing;
    const { filename, sizeBytes, receivedBytes } = await this.get(owner, uploadId);
    if (receivedBytes < sizeBytes) throw new UploadIncomplete(sizeBytes - receivedBytes);
    await this.directory.complete(uploadId);
    const started = await this.transactions.run(async (transaction) => {
      if (!(await this.repository.lock(owner, uploadId, transaction))) return null;
      const file = { uploadId, filename, sizeBytes };
      const job = await this.jobs.start(definition, owner, file, { transaction });
      const { number } = parseJobReference(job.jobId) as { number: number };
      const upload = { id: uploadId, ...owner, filename, sizeBytes };
      await this.uploads.insertForJob(upload, { kind: definition.kind, number }, transaction);
      return job;
    });
    // Another request has completed or deleted it meanwhile.
    const job = started ?? (await this.jobOf(owner, uploadId, definition.kind));
    if (!job) throw new ResourceNotFound('upload');
    return job;
  }

  private async claim(
    owner: UploadOwner,
    uploadId: string,
    offset: number,
  ): Promise<{ lease: Lease; sizeBytes: number }> {
    const claimed = await this.repository.claimAt(owner, uploadId, offset, LEASE_MS);
    if (claimed) return claimed;
    const { receivedBytes } = await this.get(owner, uploadId);
    throw receivedBytes === offset ? new UploadBusy() : new UploadOffsetWrong(receivedBytes);
  }

  private async jobOf(owner: UploadOwner, uploadId: string, kind: string): Promise<StartedJob | null> {
    const number = await this.repository.jobNumberOf(owner, uploadId, kind);
    return number === null ? null : { jobId: `${kind}-${number}` };
  }
}
