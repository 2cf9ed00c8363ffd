/** Whether a file could not be written for want of room: the disk is full, or the quota on it used up. */
export function isSpaceExhausted(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null | undefined)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
