/** A message of about so many bytes, as an mbox file has it. */
export const inMbox = (number: number, bytes = 500): string =>
  [
    `From person-${number}@example.org Thu Jan  1 00:00:00 2026`,
    `From: Person ${number} <person-${number}@example.org>`,
    'To: ada@example.org',
    `Subject: Letter ${number}`,
    `Message-ID: <letter-${number}@example.org>`,
    `Date: Thu, 01 Jan 2026 00:${String(number % 60).padStart(2, '0')}:00 +0000`,
    '',
    `Text of letter ${number}.`,
    ...Array.from({ length: Math.ceil(bytes / 64) }, () => 'x'.repeat(63)),
    '',
    '',
  ].join('\n');

/** A separator without a message after it. */
export const DAMAGED = 'From nobody@example.org Thu Jan  1 00:00:00 2026\n\n';

/** What is chosen in a form of the page. */
export const mboxFile = (
  name: string,
  ...parts: readonly string[]
): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: 'application/mbox',
  buffer: Buffer.from(parts.join('')),
});
