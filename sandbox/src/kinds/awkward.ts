import { headerLines, type Composition, type Draft } from '../generator/draft';
import { attachmentHeaders } from '../generator/header-writer';
import { binaryBody, chunkOf, textPart, type MimeNode } from '../generator/mime-writer';
import { CONTACTS } from '../generator/people';
import { paragraph } from '../generator/phrases';
import type { Random } from '../generator/random';

/** Builds one awkward message; `headers` are those of an ordinary one. */
type Variant = (headers: string[], random: Random) => Omit<Draft, 'headers'> & { headers: string[] };

const sentence = (random: Random): string => `${paragraph(random, false, 2)}\r\n`;
const multipart = (
  subtype: string,
  boundary: string,
  parts: readonly MimeNode[],
  unterminated = false,
): MimeNode => ({
  kind: 'multipart',
  subtype,
  boundary,
  parts,
  unterminated,
});
const removeHeaders = (headers: readonly string[], ...names: readonly string[]): string[] =>
  headers.filter((line) => !names.some((name) => line.toLowerCase().startsWith(`${name}:`)));

const VARIANTS: readonly Variant[] = [
  // The end delimiter is missing, as in mail cut off in transit.
  (headers, random) => ({
    headers,
    body: () => multipart('mixed', 'cut-off', [textPart('text/plain', sentence(random))], true),
  }),
  // Multiparts in multiparts.
  (headers, random) => ({
    headers,
    body: () => {
      let node: MimeNode = textPart('text/plain', sentence(random));
      for (let depth = 0; depth < 12; depth++) node = multipart('mixed', `level-${depth}`, [node]);
      return node;
    },
  }),
  // A forwarded message as message/rfc822, which has an attachment itself.
  (headers, random) => ({
    headers,
    body: () => {
      const inner = [
        'From: Inner Sender <inner@example.org>',
        'Subject: The forwarded one',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary="inner"',
        '',
        '--inner',
        'Content-Type: text/plain',
        '',
        'Inner text.',
        '--inner',
        'Content-Type: text/plain; name="inner.txt"',
        'Content-Disposition: attachment; filename="inner.txt"',
        '',
        'Inner file.',
        '--inner--',
        '',
      ].join('\r\n');
      return multipart('mixed', 'outer', [
        textPart('text/plain', sentence(random)),
        {
          kind: 'leaf',
          headers: [
            'Content-Type: message/rfc822',
            'Content-Disposition: attachment; filename="forwarded.eml"',
          ],
          body: chunkOf(inner),
        },
      ]);
    },
  }),
  // An empty body.
  (headers) => ({ headers, body: () => textPart('text/plain', '', { encoding: '7bit' }) }),
  (headers, random) => ({
    headers: removeHeaders(headers, 'subject'),
    body: () => textPart('text/plain', sentence(random)),
  }),
  (headers, random) => ({
    headers: removeHeaders(headers, 'from', 'date', 'message-id'),
    body: () => textPart('text/plain', sentence(random)),
  }),
  // Fields that must be unique, twice.
  (headers, random) => ({
    headers: [
      ...headers,
      'Subject: A second subject',
      'From: Second Sender <second@example.org>',
      'Date: not a date',
    ],
    body: () => textPart('text/plain', sentence(random)),
  }),
  // A field folded over hundreds of lines.
  (headers, random) => ({
    headers: [
      ...headers,
      `X-Long:${Array.from({ length: 300 }, (_, at) => `\r\n value-${at}-${'x'.repeat(50)}`).join('')}`,
    ],
    body: () => textPart('text/plain', sentence(random)),
  }),
  // NUL bytes in the text.
  (headers, random) => ({
    headers,
    body: () => textPart('text/plain', `Before\0\0after ${sentence(random)}`, { encoding: '8bit' }),
  }),
  // Bare LF line ends throughout.
  (headers, random) => ({
    headers,
    body: () => textPart('text/plain', `${sentence(random)}${sentence(random)}`),
    finish: (raw) => Buffer.from(raw.toString('latin1').replace(/\r\n/g, '\n'), 'latin1'),
  }),
  // format=flowed with space-stuffing (RFC 3676).
  (headers, random) => ({
    headers,
    body: () =>
      textPart(
        'text/plain; format=flowed; delsp=yes',
        `${paragraph(random, false, 3).replace(/(.{60}) /g, '$1 \r\n')}\r\n From the start\r\n`,
      ),
  }),
  // A signed message.
  (headers, random) => ({
    headers,
    body: () =>
      multipart('signed; micalg=pgp-sha256; protocol="application/pgp-signature"', 'sig', [
        textPart('text/plain', sentence(random), { encoding: 'quoted-printable' }),
        {
          kind: 'leaf',
          headers: attachmentHeaders('application/pgp-signature', 'signature.asc', 'plain'),
          body: chunkOf(
            '-----BEGIN PGP SIGNATURE-----\r\n\r\niQEzBAEBCAAdFiEE\r\n-----END PGP SIGNATURE-----\r\n',
          ),
        },
      ]),
  }),
  // Outlook's TNEF.
  (headers, random) => ({
    headers,
    body: () =>
      multipart('mixed', 'tnef', [
        textPart('text/plain', sentence(random)),
        {
          kind: 'leaf',
          headers: [
            ...attachmentHeaders('application/ms-tnef', 'winmail.dat', 'plain'),
            'Content-Transfer-Encoding: base64',
          ],
          body: binaryBody(Buffer.from([0x78, 0x9f, 0x3e, 0x22]), 6000, random.int(8000)),
        },
      ]),
  }),
  // A boundary that the body never uses.
  (headers, random) => ({
    headers: [...headers, 'Content-Type: multipart/mixed; boundary="nowhere"'],
    body: () => ({
      kind: 'leaf',
      headers: [],
      body: chunkOf(`${sentence(random)}--elsewhere\r\n\r\n${sentence(random)}`),
    }),
  }),
  // A body that lies about its encoding and charset.
  (headers) => ({
    headers,
    body: () => ({
      kind: 'leaf',
      headers: ['Content-Type: text/plain; charset=us-ascii', 'Content-Transfer-Encoding: base64'],
      body: chunkOf('This is not base64 at all: déjà vu!\r\n'),
    }),
  }),
  // A delivery report.
  (headers) => ({
    headers: [
      'From: Mail Delivery Subsystem <mailer-daemon@mx.sandbox.example>',
      ...removeHeaders(headers, 'from'),
    ],
    body: () =>
      multipart('report; report-type=delivery-status', 'dsn', [
        textPart('text/plain', 'Delivery to the following recipient failed permanently.\r\n'),
        {
          kind: 'leaf',
          headers: ['Content-Type: message/delivery-status'],
          body: chunkOf('Final-Recipient: rfc822; nobody@example.org\r\nStatus: 5.1.1\r\n'),
        },
        {
          kind: 'leaf',
          headers: ['Content-Type: message/rfc822'],
          body: chunkOf('Subject: The lost one\r\n\r\nLost text.\r\n'),
        },
      ]),
  }),
];

/** Mail as broken as real mail gets. */
export function composeAwkward(composition: Composition): Draft {
  const variant = VARIANTS[composition.ordinal % VARIANTS.length] as Variant;
  const random = composition.random('envelope');
  const headers = headerLines(composition, {
    from: random.pick(CONTACTS),
    to: [composition.me],
    subject: `Awkward ${composition.ordinal % VARIANTS.length}`,
  });
  // Facts and bytes are both made from this draft, each time from the start of the same stream.
  const draft = variant(headers, composition.random('body'));
  return { ...draft, headers: () => draft.headers };
}
