import { eml } from './eml';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const repeat = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

/** A message of these parts, each with its headers. */
function multipart(head: string, boundary: string, parts: readonly string[], subtype = 'mixed'): Buffer {
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('');
  return latin1(
    `Subject: ${head}\r\nFrom: torture@example.com\r\nContent-Type: multipart/${subtype}; boundary="${boundary}"\r\n\r\n${body}--${boundary}--\r\n`,
  );
}

/** Messages within messages, the innermost with a text. */
function forwarded(levels: number): Buffer {
  return latin1(
    `Subject: forwarded\r\n${repeat(levels, (level) => `Content-Type: message/rfc822\r\n\r\nSubject: level ${level}\r\n`)}\r\nthe innermost needle`,
  );
}

/** Multiparts whose boundaries each begin with the one around them, none of them closed. */
const prefixed = (levels: number): Buffer =>
  latin1(
    `Subject: prefixes\r\n${repeat(levels, (level) => `Content-Type: multipart/mixed; boundary=${'b'.repeat(level + 1)}\r\n\r\n--${'b'.repeat(level + 1)}\r\n`)}\r\nat the bottom`,
  );

const attachment = (
  name: string,
  encoding: string,
  body: string,
  type = 'application/octet-stream',
): string =>
  `Content-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`;

/**
 * Messages that programs have stumbled over, each written for these tests: in the spirit of the classic collections,
 * with what their parts decode to where it is known.
 */
export const TORTURE_MAILS: Readonly<Record<string, Buffer>> = {
  'thousands of parts': multipart(
    'parts',
    'p',
    Array.from({ length: 3_000 }, (_, n) => `Content-Type: text/plain\r\n\r\npart ${n}`),
  ),
  '100 multiparts in each other': latin1(
    `Subject: nested\r\n${repeat(100, (level) => `Content-Type: multipart/mixed; boundary=n${level}x\r\n\r\n--n${level}x\r\n`)}\r\ncore${repeat(100, (level) => `\r\n--n${99 - level}x--`)}`,
  ),
  'messages in messages, 60 deep': forwarded(60),
  'boundaries that begin like each other': prefixed(40),
  'a boundary at every edge of 64 KiB': multipart('edges', 'edge', [
    attachment('one.bin', '8bit', 'x'.repeat(65_536 - 200)),
    attachment('two.bin', '8bit', `${'y'.repeat(65_535)}\r\n--edg`),
    attachment('three.bin', '8bit', `${'\r\n--edgeX'.repeat(8_000)}`),
  ]),
  'headers missing and twice': latin1(
    'Subject: first\r\nsubject: second\r\nSUBJECT: third\r\nFrom:\r\nFrom: a@example.com\r\nFrom: b@example.com\r\nTo:\r\nDate:\r\nDate: Tue, 19 Mar 2019 09:13:51 +0000\r\nContent-Type: text/html\r\nContent-Type: text/plain\r\nMessage-ID: <a@x>\r\nMessage-ID: <b@x>\r\n\r\n<b>which</b>',
  ),
  'a header line of a megabyte': latin1(
    `X-Long: ${'z'.repeat(1_048_576)}\r\nSubject: behind it\r\nReferences: ${'<a@b>'.repeat(100_000)}\r\n\r\nbody`,
  ),
  'bare CR, bare LF and NUL in turn': latin1(
    'Subject: ends\rX-A: b\nFrom: a@example.com\r\nTo: \0b@example.com\r\r\n\nline\rline\nline\0line\r\n\r\r\n.\r\n',
  ),
  'nothing but CR': latin1('Subject: old\rContent-Type: multipart/mixed; boundary=m\r\r--m\r\rtext\r--m--\r'),
  'eight bits in headers': Buffer.concat([
    latin1('Subject: caf\xe9 na\xefve\r\nFrom: "\xc9mile" <e@example.com>\r\n'),
    Buffer.from('To: Łukasz 東京 <l@example.com>\r\nX: \ud83d\ude00\r\n\r\ntext'),
  ]),
  'charsets that are not theirs': multipart('charsets', 'c', [
    'Content-Type: text/plain; charset=utf-8\r\n\r\n\xe9\xe8\xff\xfe',
    'Content-Type: text/plain; charset=utf-16\r\n\r\nodd',
    'Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n\x1b$B\x1b$B%\x1b(B',
    'Content-Type: text/plain; charset=utf-7\r\n\r\n+AAA-+2D0-+',
    'Content-Type: text/plain; charset=hex\r\n\r\n4142',
    'Content-Type: text/plain; charset="\0"\r\n\r\nx',
    "Content-Type: text/plain; charset*=''%00\r\n\r\nx",
  ]),
  'broken transfer encodings': multipart('encodings', 'e', [
    attachment('a.bin', 'base64', 'QUJD=QUJD====*!Q'),
    attachment('b.bin', 'quoted-printable', '=\r\n=4\r\n=ZZ=\0==41= \t\r\n'),
    attachment('c.bin', 'x-uuencode', 'begin 644 c\r\nM\r\n#0V%T\r\n~~~~\r\n'),
    attachment('d.bin', 'base64, 8bit', 'QUJD'),
    attachment('e.bin', '"base64"', 'QUJD'),
    attachment('f.bin', 'BASE64 (really)', 'QUJD'),
    attachment('g.bin', `${'x'.repeat(5_000)}`, 'QUJD'),
  ]),
  'uuencode and yEnc in the text': eml(
    'Subject: inline',
    '',
    'begin 644 cat.txt',
    '#0V%T',
    '`',
    'end',
    '=ybegin line=128 size=3 name=x.bin',
    'klm',
    '=yend size=3',
  ),
  'continuations out of order': multipart('continuations', 'r', [
    "Content-Type: application/pdf; name*2=c.pdf; name*0*=utf-8''a%20; name*1*=b%C3\r\nContent-Disposition: attachment; filename*1*=%A9.pdf; filename*0*=utf-8''caf%C3; filename=plain.pdf\r\n\r\nx",
    "Content-Type: application/pdf\r\nContent-Disposition: attachment; filename*9999=z; filename*=broken'; filename*0=y\r\n\r\nx",
    `Content-Type: application/pdf; ${repeat(2_000, (n) => `name*${n}*=%41; `)}\r\n\r\nx`,
  ]),
  'an address list without end': latin1(
    `Subject: addresses\r\nTo: ${repeat(20_000, (n) => `"Name, ${n}" <n${n}@example.com>,\r\n `)}\r\nCc: ${'group:'.repeat(5_000)}a@b;\r\nBcc: ${'('.repeat(50_000)}\r\n\r\nx`,
  ),
  'flowed text': eml(
    'Subject: flowed',
    'Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes',
    '',
    '> quoted ',
    '>> deeper ',
    ' stuffed ',
    '-- ',
    `${'long '.repeat(20_000)}`,
    `${'>'.repeat(5_000)} deep`,
  ),
  TNEF: multipart('winmail', 't', [
    attachment(
      'winmail.dat',
      'base64',
      Buffer.from('789f3e22010006900800', 'hex').toString('base64'),
      'application/ms-tnef',
    ),
  ]),
  'signed and encrypted': multipart(
    'signed',
    's',
    [
      'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=pgp\r\n\r\n--pgp\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n--pgp\r\nContent-Type: application/octet-stream; name=encrypted.asc\r\n\r\n-----BEGIN PGP MESSAGE-----\r\n--pgp--',
      attachment('smime.p7s', 'base64', 'MIAGCSqGSIb3DQEHAqCA', 'application/pkcs7-signature'),
    ],
    'signed; protocol="application/pkcs7-signature"; micalg=sha-256',
  ),
  'opaque S/MIME': eml(
    'Subject: opaque',
    'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
    'Content-Disposition: attachment; filename=smime.p7m',
    'Content-Transfer-Encoding: base64',
    '',
    'MIAGCSqGSIb3DQEHA6CAMIACAQAxggFI',
  ),
  'base64 around a multipart': latin1(
    `Subject: wrapped\r\nContent-Type: multipart/mixed; boundary=w\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from('--w\r\n\r\ninside\r\n--w--\r\n').toString('base64')}`,
  ),
  'base64 around a message': multipart('wrapped message', 'w', [
    `Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from('Subject: inner\r\n\r\nneedle').toString('base64')}`,
  ]),
  'what makes regular expressions slow': eml(
    `Subject: ${'Re: '.repeat(20_000)}${'[a] '.repeat(5_000)}`,
    `From: ${'a.'.repeat(20_000)}@`,
    `Date: ${'('.repeat(5_000)}${' '.repeat(50_000)}1`,
    `Content-Type: text/html; charset=${'a'.repeat(50_000)}`,
    '',
    `<a href="${'https://a.example/?utm_source=&'.repeat(5_000)}">x</a>`,
    `${'<a href='.repeat(20_000)}`,
    `<style>${'a{color:red;'.repeat(20_000)}</style>`,
    `${'4111 1111 1111 1111 '.repeat(5_000)}${'password: '.repeat(10_000)}`,
    `${'+33 6 12 34 56 78'.repeat(5_000)}${'FR76'.repeat(20_000)}`,
  ),
  'styles and images without end': eml(
    'Subject: markup',
    'Content-Type: text/html',
    '',
    '<img src=https://a.example/p width=1 height=1>'.repeat(20_000),
    '<table>'.repeat(20_000),
    '<svg><style>'.repeat(5_000),
    '<!--'.repeat(50_000),
  ),
  'names that lead elsewhere': multipart('names', 'z', [
    attachment('../../../etc/passwd', '7bit', 'x'),
    attachment('C:\\Windows\\x.dll', '7bit', 'x'),
    attachment('CON', '7bit', 'x'),
    attachment('a\0b\x1b[2J.txt', '7bit', 'x'),
    attachment('n'.repeat(10_000), '7bit', 'x'),
    attachment('', '7bit', 'x'),
    attachment('....', '7bit', 'x'),
  ]),
  'a report without a message': multipart(
    'report',
    'q',
    [
      'Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; a@b\r\nStatus: 5.1.1',
      'Content-Type: message/rfc822\r\n\r\n',
      'Content-Type: message/partial; id=x; number=1; total=2\r\n\r\nSubject: half',
      'Content-Type: message/external-body; access-type=local-file; name="/etc/passwd"\r\n\r\n',
    ],
    'report; report-type=delivery-status',
  ),
};
