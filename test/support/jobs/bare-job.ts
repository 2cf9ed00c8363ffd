import type { JobContext } from '../../../src/platform/jobs/job-definition';

/** A job that has no row: what it reports is dropped. For attempts that a spec starts or ends where a job could not. */
export function bareJob(
  kind: string,
  owner: { readonly userId: string; readonly accountId: string | null },
  parts: Partial<JobContext> = {},
): JobContext {
  return {
    jobId: `${kind}-0`,
    ...owner,
    attempt: 1,
    signal: new AbortController().signal,
    logger: console,
    lease: { id: 'job', token: 'token' },
    setTotal: () => undefined,
    progress: () => undefined,
    fail: () => undefined,
    report: () => undefined,
    savedCheckpoint: () => undefined,
    checkpoint: async () => undefined,
    throwIfCancelled: () => undefined,
    assertLeased: () => undefined,
    requireHeld: async () => undefined,
    secrets: () => {
      throw new Error('It has none');
    },
    ...parts,
  };
}
