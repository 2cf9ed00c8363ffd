import { type Job, JobCancelled, JobFailed, JobTimeout } from '../src/index';
import { json, problem, type Reply, ScriptedService, stream } from './scripted-service';

const STREAM = 'GET /api/jobs/scan_pii-1/events';
const JOB = 'GET /api/jobs/scan_pii-1';

const aJob = (changes: Partial<Job>): Job =>
  ({
    queue_id: 'scan_pii-1',
    status: 'active',
    completed_at: null,
    error: null,
    error_code: null,
    ...changes,
  }) as Job;
const ended = (status: Job['status'], changes: Partial<Job> = {}): Job =>
  aJob({ status, completed_at: '2026-01-01T00:00:00.000Z', ...changes });
const news = (...jobs: Job[]): string =>
  jobs.map((job, index) => `event: job\nid: ${index}\ndata: ${JSON.stringify(job)}\n\n`).join('');

describe('waiting for a job', () => {
  let service: ScriptedService;

  beforeEach(() => {
    service = new ScriptedService();
  });

  const wait = (streamed: Reply, options = {}): Promise<Job> =>
    service.on(STREAM, streamed).client().waitForJob('scan_pii-1', options);

  it('should report progress and return the completed job', async () => {
    const processed: number[] = [];
    const texts = [
      news(aJob({ processed: 1 }), aJob({ processed: 2 })),
      ': heartbeat\n\n',
      news(ended('completed', { processed: 3 })),
    ];
    const job = await wait(stream(texts), { onProgress: (now: Job) => processed.push(now.processed) });
    expect([job.status, processed]).toEqual(['completed', [1, 2, 3]]);
    expect(service.of(JOB)).toHaveLength(0);
  });

  it('should fail with the job’s reason', async () => {
    const failed = ended('failed', { error: 'Full.', error_code: 'quota-exceeded', failed: 2 });
    const waiting = wait(stream([news(failed)]));
    await expect(waiting).rejects.toBeInstanceOf(JobFailed);
    await expect(waiting).rejects.toMatchObject({
      error: 'Full.',
      code: 'quota-exceeded',
      job: { failed: 2 },
    });
  });

  it('should report that it was cancelled, once its batch has finished', async () => {
    const texts = [news(aJob({ status: 'cancelled', processed: 1 }), ended('cancelled', { processed: 5 }))];
    const waiting = wait(stream(texts));
    await expect(waiting).rejects.toBeInstanceOf(JobCancelled);
    await expect(waiting).rejects.toMatchObject({ job: { processed: 5 } });
  });

  it('should poll when the stream breaks or stays silent', async () => {
    service.on(JOB, json(aJob({})), json(ended('completed')));
    await expect(wait(stream([news(aJob({}))], new TypeError('terminated')))).resolves.toMatchObject({
      status: 'completed',
    });
    service.on(JOB, json(ended('completed')));
    await expect(wait(problem(429, 'too-many-streams'))).resolves.toMatchObject({ status: 'completed' });
  });

  it('should tolerate temporary errors but not permanent ones', async () => {
    service.on(JOB, problem(503, 'unavailable'), json(ended('completed')));
    await wait(problem(500, 'internal-error'));
    await expect(wait(problem(404, 'job-not-found'))).rejects.toMatchObject({ status: 404 });
  });

  it('should poll when the stream has gone quiet', async () => {
    jest.useFakeTimers();
    try {
      service.on(JOB, json(ended('completed')));
      const waiting = wait(() => new Response(new ReadableStream()));
      await jest.advanceTimersByTimeAsync(44_000);
      expect(service.of(JOB)).toHaveLength(0);
      await jest.advanceTimersByTimeAsync(2_000);
      await expect(waiting).resolves.toMatchObject({ status: 'completed' });
    } finally {
      jest.useRealTimers();
    }
  });

  it('should end at the given time-out, and when the caller aborts', async () => {
    const endless = (): Response => new Response(new ReadableStream());
    const late = wait(endless, { timeout: 5 });
    await expect(late).rejects.toBeInstanceOf(JobTimeout);
    await expect(late).rejects.toMatchObject({ jobId: 'scan_pii-1', timeoutMs: 5 });
    const abortion = new AbortController();
    const waiting = wait(endless, { signal: abortion.signal });
    abortion.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(wait(endless, { signal: AbortSignal.abort(new Error('late')) })).rejects.toThrow('late');
  });
});
