/** A message from its lines, with CRLF line ends. */
export const eml = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'utf8');

/** A multipart message with one attachment. */
export function emlWithAttachment(options: {
  subject?: string;
  from?: string;
  text?: string;
  /** The parameter as in the header, e.g. `filename="a.pdf"`. */
  disposition: string;
  mimeType?: string;
  content: Buffer;
}): Buffer {
  const encoded = options.content.toString('base64').replace(/(.{76})/g, '$1\r\n');
  return eml(
    `From: ${options.from ?? 'Alice Example <alice@example.com>'}`,
    'To: Bob Example <bob@example.com>',
    `Subject: ${options.subject ?? 'With an attachment'}`,
    'Message-ID: <attachment@example.com>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="cut"',
    '',
    '--cut',
    'Content-Type: text/plain; charset=utf-8',
    '',
    options.text ?? 'See the attachment.',
    '--cut',
    `Content-Type: ${options.mimeType ?? 'application/octet-stream'}`,
    `Content-Disposition: attachment; ${options.disposition}`,
    'Content-Transfer-Encoding: base64',
    '',
    encoded,
    '--cut--',
    '',
  );
}
