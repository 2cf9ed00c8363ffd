import type { Request } from 'express';
import type { Transaction, Transactions } from '../../platform/database/transactions';
import type { JobDefinition } from '../../platform/jobs/job-definition';
import { TooManyJobs } from '../../platform/jobs/jobs.errors';
import type { JobsService } from '../../platform/jobs/jobs.service';
import { ImportUploadsService, type UploadedFile } from './import-uploads.service';
import type { ImportUploadsRepository } from './import-uploads.repository';
import type { UploadAllowancesService } from './upload-allowances.service';
import type { UploadDirectory } from './upload-directory';
import type { UploadReceiver, UploadToReceive } from './upload-receiver';

const UPLOAD = { filename: 'mail.mbox', sizeBytes: 1, sha256: 'x' };
const OWNER = { userId: 'user', accountId: 'account' };

describe(ImportUploadsService.name, () => {
  let received: string | null;
  const deleted = jest.fn(async (_id: string) => undefined);

  beforeEach(() => {
    received = null;
    deleted.mockClear();
  });

  const hasRoom = async (): Promise<void> => undefined;
  const start = (
    run: Transactions['run'],
    isInserted = true,
    ensureRoomToStart: () => Promise<void> = hasRoom,
  ): Promise<unknown> => {
    const sut = new ImportUploadsService(
      {
        receive: async (_request: Request, { uploadId }: UploadToReceive) => {
          received = uploadId;
          return UPLOAD;
        },
      } as unknown as UploadReceiver,
      {} as UploadAllowancesService,
      { delete: deleted } as unknown as UploadDirectory,
      {
        insertForJob: async () => isInserted,
        delete: async () => undefined,
      } as unknown as ImportUploadsRepository,
      { ensureRoomToStart, start: async () => ({ jobId: 'import_mbox-1' }) } as unknown as JobsService,
      { run } as unknown as Transactions,
    );
    const kind = { kind: 'import_mbox' } as JobDefinition<UploadedFile>;
    return sut.start({} as Request, kind, OWNER);
  };
  const work = (body: (transaction: Transaction) => Promise<unknown>): Promise<unknown> =>
    body({} as Transaction);

  it('should keep the file of a job whose commit may have succeeded', async () => {
    const lost = async (body: (transaction: Transaction) => Promise<unknown>): Promise<never> => {
      await work(body);
      throw new Error('Connection terminated unexpectedly');
    };
    await expect(start(lost as Transactions['run'])).rejects.toThrow('Connection terminated');
    expect(deleted).not.toHaveBeenCalled();
  });

  it('should keep the file of a job, and delete one that no job references', async () => {
    await start(work as Transactions['run']);
    expect(deleted).not.toHaveBeenCalled();
    await start(work as Transactions['run'], false);
    expect(deleted).toHaveBeenCalledWith(received);
  });

  it('should delete the file when no job was started', async () => {
    const refused = (): Promise<never> => Promise.reject(new Error('refused'));
    await expect(start(refused as Transactions['run'])).rejects.toThrow('refused');
    expect(deleted).toHaveBeenCalledWith(received);
  });

  it('should not receive an upload for a job that cannot be started', async () => {
    const full = (): Promise<void> => Promise.reject(new TooManyJobs());
    await expect(start(work as Transactions['run'], true, full)).rejects.toThrow(TooManyJobs);
    expect(received).toBeNull();
  });
});
