/** A message with a Message-ID of its own. */
export function plainMail(
  number: number,
  {
    from = 'Ada <ada@shop.example>',
    subject = `Message ${number}`,
    body = `Body ${number}`,
    extra = '',
  } = {},
): Buffer {
  const date = new Date(Date.UTC(2024, 0, 1) + number * 60_000).toUTCString().replace('GMT', '+0000');
  return Buffer.from(
    `Received: from a by b; ${date}\r\nMessage-ID: <m${number}@imap.test>\r\nDate: ${date}\r\n` +
      `From: ${from}\r\nTo: alice@imap.test\r\nSubject: ${subject}\r\n${extra}\r\n${body}\r\n`,
    'utf8',
  );
}

/** The arrival time of that message. */
export const arrivalOf = (number: number): Date => new Date(Date.UTC(2024, 0, 1) + number * 60_000);
