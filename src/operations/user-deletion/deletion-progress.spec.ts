import type { JobContext } from '../../platform/jobs/job-definition';
import { DeletionProgress, type DeletionState } from './deletion-progress';

class Job {
  processed = 0;
  total = 0;
  reported: object = {};
  constructor(public saved?: object) {}
  setTotal = (total: number): void => void (this.total = total);
  progress = ({ processed = 0 }): void => void (this.processed += processed);
  report = (result: object): void => void (this.reported = result);
  checkpoint = async (state: object): Promise<void> => void (this.saved = state);
}

const progressOf = (job: Job): DeletionProgress =>
  new DeletionProgress(job as unknown as JobContext, job.saved as DeletionState | undefined);

describe('DeletionProgress', () => {
  it('should count the mails at the beginning and everything that is deleted', async () => {
    const job = new Job();
    const sut = progressOf(job);
    await sut.begin({ mails: 30, bytes: 300 });
    await sut.addDeletedMails(10, 9);
    await sut.add({ accounts: 1, grantsNotRevoked: 1 });
    await sut.add({ files: 2 });
    const counts = { accounts: 1, mails: 30, bytes: 300, files: 11, grantsNotRevoked: 1, storesLeft: 0 };
    expect(sut.counts).toEqual(counts);
    expect(job).toMatchObject({ total: 30, processed: 10, reported: counts });
  });

  it('should count batches that a killed attempt deleted after its last checkpoint', async () => {
    const killed = new Job();
    const before = progressOf(killed);
    await before.begin({ mails: 30, bytes: 300 });
    await before.addDeletedMails(10, 10);
    // The runner gives the counts of the checkpoint to the next attempt.
    const next = new Job(killed.saved);
    next.processed = 10;
    const sut = progressOf(next);
    await sut.begin({ mails: 15, bytes: 150 });
    expect(next).toMatchObject({ total: 30, processed: 15 });
    expect(sut.counts).toMatchObject({ mails: 30, bytes: 300, files: 10 });
  });
});
