const FIRST_PAUSE_MS = 10;
/** Seen soon enough, and cheap enough: what is asked for is often a whole request. */
const LONGEST_PAUSE_MS = 100;

/**
 * Polls until `probe` answers something else than undefined or false.
 * @throws with `what` was awaited, after `timeoutMs`
 */
export async function waitFor<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.3)) {
    const answer = await probe();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`Timed out after ${timeoutMs} ms waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
