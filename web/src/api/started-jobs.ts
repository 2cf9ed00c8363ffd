/** Jobs that were started on this page. */
const started = new Set<string>();
/** Calls that wait for the answer to the start of a job: of a quick one the end is known before. */
const waiting = new Map<string, () => void>();

const WAIT_MS = 30_000;

/** Remembers the job that an answer says was started. */
export function noteStart(answer: unknown): void {
  const { jobId } = (answer ?? {}) as { readonly jobId?: unknown };
  if (typeof jobId !== 'string') return;
  started.add(jobId);
  waiting.get(jobId)?.();
  waiting.delete(jobId);
}

/** Calls `act` if the job was started on this page: now, or when the answer to its start arrives. */
export function whenStartedHere(jobId: string, act: () => void): void {
  if (started.has(jobId)) {
    act();
    return;
  }
  waiting.set(jobId, act);
  setTimeout(() => waiting.delete(jobId), WAIT_MS);
}
