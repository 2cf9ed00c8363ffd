import { readPace } from './run/pace';

const FIRST_PAUSE_MS = 10;
/** Quick enough to see what does not stay. */
const LONGEST_PAUSE_MS = 25;

/**
 * Polls until `probe` answers something else than undefined or false.
 * @param longestPauseMs between two polls: more for what stays once it is there, which spares the machine
 * @param timeoutMs on an ordinary machine: twice what a job takes that has lost its process once
 * @throws with `what` was awaited, after `timeoutMs` times the pace of the machine
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 60_000,
  longestPauseMs = LONGEST_PAUSE_MS,
): Promise<T> {
  const patienceMs = timeoutMs * readPace();
  const deadline = Date.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(longestPauseMs, pauseMs * 1.3)) {
    const answer = await probe();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline)
      throw new Error(`Timed out after ${Math.round(patienceMs)} ms waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
