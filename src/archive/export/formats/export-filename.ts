/** `archive-export-2024-02-29.mbox`, the day in UTC. */
export const exportFilename = (extension: string, now: Date): string =>
  `archive-export-${now.toISOString().slice(0, 10)}.${extension}`;
