import type { NewMessage } from '../../sandbox-process';
import { KEPT_DAYS } from '../soak-world';

const DAY_MS = 86_400_000;
export const PER_ROUND = 40;

/** The word that finds a round's mail, and nothing else. */
export const wordOf = (account: string, round: number): string => `round${round}x${account.slice(0, 8)}`;

/**
 * A round's mail: old enough for the retention policy to take it, some with attachments, trackers, personal data or a
 * List-Unsubscribe header, from a few senders.
 */
export function roundOfMail(word: string): NewMessage[] {
  return Array.from({ length: PER_ROUND }, (_, index) => {
    const date = Date.now() - (KEPT_DAYS + 30 + index) * DAY_MS;
    return { raw: messageOf(word, index, new Date(date)), labelIds: ['INBOX', 'UNREAD'], date };
  });
}

/** The same as an mbox file. */
export function roundAsMbox(word: string): Buffer {
  const messages = roundOfMail(word).map(
    // Without a separator of that time, the mail would have arrived with the import, and retention keep it.
    ({ raw, date }) => `From soak@example.org ${asctime(new Date(date))}\n${raw.replaceAll('\r\n', '\n')}\n`,
  );
  return Buffer.from(messages.join(''));
}

/** A time as separators of mbox files have it: `Thu Nov 24 18:22:48 2022`. */
function asctime(date: Date): string {
  const [weekday = '', day = '', month = '', year = '', time = ''] = date.toUTCString().split(' ');
  return `${weekday.slice(0, 3)} ${month} ${day} ${time} ${year}`;
}

function messageOf(word: string, index: number, date: Date): string {
  const isNewsletter = index % 4 === 0;
  const text =
    `This is ${word}, message ${index}. Please pay to DE89370400440532013000 before the end of the month. ` +
    'A line as mails have it. '.repeat(20 + index);
  return [
    `From: Soak ${index % 10} <${isNewsletter ? 'news' : `person${index % 10}`}@soak.example.org>`,
    'To: Me <me@example.com>',
    `Subject: ${word} number ${index}`,
    `Date: ${date.toUTCString()}`,
    `Message-ID: <${word}.${index}@soak.example.org>`,
    ...(isNewsletter ? ['List-Unsubscribe: <https://soak.example.org/leave>'] : []),
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="cut"',
    '',
    '--cut',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<p>${text}</p><img src="https://track.soak.example.org/open?id=${index}" width="1" height="1">`,
    '--cut',
    `Content-Type: application/octet-stream; name="${word}-${index}.bin"`,
    `Content-Disposition: attachment; filename="${word}-${index}.bin"`,
    'Content-Transfer-Encoding: base64',
    '',
    ...Array.from({ length: 50 + index * 5 }, (_, line) => Buffer.alloc(57, line + index).toString('base64')),
    '--cut--',
    '',
  ].join('\r\n');
}
