import { eml } from '../archive/eml';

export const CARD = '4111 1111 1111 1111';
const IBAN = 'FR76 3000 6000 0112 3456 7890 189';
const SSN = '2 95 10 99 126 111 93';
const PHONE = '06 12 34 56 78';
const PASSWORD = 'Tr0ub4dor&3';
/** The values as they are written, and without their blanks. */
export const CLEAR = [CARD, IBAN, SSN, PHONE, PASSWORD].flatMap((value) => [
  value,
  value.replaceAll(' ', ''),
]);

const base64 = (text: string, encoding: BufferEncoding): string =>
  Buffer.from(text, encoding).toString('base64');

/** A mail with every type, each in a separate part: encodings, charsets, HTML, an attachment, an embedded message. */
const EVERYTHING = eml(
  'From: Alice Example <alice@example.com>',
  'To: Bob Example <bob@example.com>',
  `Subject: =?utf-8?B?${base64(`Ma carte ${CARD}`, 'utf8')}?=`,
  'Message-ID: <everything@example.com>',
  'Date: Mon, 01 Jan 2024 10:00:00 +0000',
  'Content-Type: multipart/mixed; boundary="cut"',
  '',
  '--cut',
  'Content-Type: multipart/alternative; boundary="alt"',
  '',
  '--alt',
  'Content-Type: text/plain; charset=utf-16le',
  'Content-Transfer-Encoding: base64',
  '',
  base64(`IBAN : ${IBAN}`, 'utf16le'),
  '--alt',
  'Content-Type: text/html; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  `<p>IBAN : ${IBAN.replace('3000', '<b>30</b>00')}</p><p>N=B0 de s=E9curit=E9 sociale&nbsp;: ${SSN.replaceAll(' ', '&nbsp;')}</p>`,
  '--alt--',
  '--cut',
  'Content-Type: text/csv; charset=utf-8',
  'Content-Disposition: attachment; filename="contacts.csv"',
  'Content-Transfer-Encoding: base64',
  '',
  base64(`name;phone\r\nBob;${PHONE}\r\nEve;${PHONE.replaceAll(' ', '')}\r\nZoe;07 98 76 54 32\r\n`, 'utf8'),
  '--cut',
  'Content-Type: message/rfc822',
  '',
  'Subject: forwarded',
  '',
  `Votre mot de passe est ${PASSWORD}`,
  '--cut--',
  '',
);

/** A mail of plain text. */
export const plainMail = (subject: string, text: string): Buffer =>
  eml(
    'From: Carol Example <carol@example.com>',
    'To: bob@example.com',
    `Subject: ${subject}`,
    `Message-ID: <${subject}@example.com>`,
    '',
    text,
    '',
  );

/** Four mails, of which the first and the third have seven values in six findings. */
export const MAILS = [
  EVERYTHING,
  plainMail('hard', 'Order 4111111111111111, SIRET 732 829 320 00074. Password: ********'),
  plainMail('phone', `Call ${PHONE}`),
  plainMail('later', 'nothing yet'),
];
