import { draftOf, type Composition, type Draft, type Envelope } from '../generator/draft';
import { docxHead } from '../generator/file-heads';
import { attachmentHeaders, type FilenameForm } from '../generator/header-writer';
import {
  binaryBody,
  chunkOf,
  sizeOfBinary,
  textPart,
  wrapBase64,
  type MimeNode,
} from '../generator/mime-writer';
import { CONTACTS, type Person } from '../generator/people';
import { ENGLISH_SUBJECTS, FRENCH_SUBJECTS, fillerLines, paragraph } from '../generator/phrases';
import { Random } from '../generator/random';

const JPEG_MAGIC = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01]);
/** Wanted sizes above this are filled by an attachment; people do not type 20 KB. */
const MAX_TYPED_BYTES = 12_000;

interface Thread {
  readonly partner: Person;
  readonly cc: readonly Person[];
  readonly subject: string;
  readonly french: boolean;
}

function threadOf(composition: Composition): Thread {
  const random = new Random(composition.threadSeed);
  const partner = random.pickSkewed(CONTACTS);
  const french = random.chance(0.4);
  const topic = random.pick(french ? FRENCH_SUBJECTS : ENGLISH_SUBJECTS);
  const cc = random.chance(0.2) ? [random.pick(CONTACTS)] : [];
  return { partner, cc, french, subject: random.chance(0.3) ? `${topic} ${random.between(2, 40)}` : topic };
}

/** Two people writing to and fro, now and then with a file. */
export function composeConversation(composition: Composition): Draft {
  const thread = threadOf(composition);
  const random = composition.random('envelope');
  const reply = composition.ancestors.length > 0;
  const attaches = random.chance(0.08) || composition.fill > MAX_TYPED_BYTES;
  const attachment = attaches ? pickAttachment(random, thread.french) : undefined;
  const envelope: Envelope = {
    from: composition.fromMe ? composition.me : thread.partner,
    to: composition.fromMe ? [thread.partner] : [composition.me],
    cc: thread.cc,
    subject: reply
      ? `${thread.french && random.chance(0.3) ? 'RE : ' : 'Re: '}${thread.subject}`
      : thread.subject,
    offsetHours: random.pick([0, 1, 2, -5]),
    attachmentNames: attachment === undefined ? [] : [attachment.filename],
  };
  return draftOf(composition, envelope, () => body(composition, thread, attachment));
}

interface Attachment {
  readonly type: string;
  readonly filename: string;
  readonly form: FilenameForm;
  /** Its first bytes; `docx`: it is a Word document; undefined: it is text. */
  readonly magic: Buffer | 'docx' | undefined;
}

function pickAttachment(random: Random, french: boolean): Attachment {
  return random.pick<Attachment>([
    { type: 'image/jpeg', filename: `IMG_${random.digits(4)}.jpg`, form: 'plain', magic: JPEG_MAGIC },
    {
      type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      filename: french ? 'Compte rendu été.docx' : 'minutes.docx',
      form: french ? 'rfc2231' : 'plain',
      magic: 'docx',
    },
    { type: 'text/csv; charset=utf-8', filename: 'liste_invités.csv', form: 'rfc2047', magic: undefined },
  ]);
}

function body(composition: Composition, thread: Thread, attachment: Attachment | undefined): MimeNode {
  const random = composition.random('body');
  const text = plainText(composition, thread, random, attachment === undefined ? composition.fill : 0);
  const plain = textPart('text/plain', text, random.chance(0.3) ? { encoding: 'quoted-printable' } : {});
  const html = random.chance(0.6)
    ? [textPart('text/html', htmlOf(text), { encoding: 'quoted-printable' })]
    : [];
  const boundary = `000000000000${random.token(16)}`;
  const content: MimeNode =
    html.length === 0
      ? plain
      : { kind: 'multipart', subtype: 'alternative', boundary: `${boundary}a`, parts: [plain, ...html] };
  if (attachment === undefined) return content;
  return {
    kind: 'multipart',
    subtype: 'mixed',
    boundary: `${boundary}m`,
    parts: [content, fileOf(composition, attachment, random)],
  };
}

function fileOf(composition: Composition, attachment: Attachment, random: Random): MimeNode {
  const headers = [
    ...attachmentHeaders(attachment.type, attachment.filename, attachment.form),
    'Content-Transfer-Encoding: base64',
  ];
  const bytes =
    composition.fill > 0 ? Math.max(2000, composition.fill * 0.73) : random.between(4_000, 60_000);
  if (attachment.magic !== undefined) {
    const offset = random.int(8192);
    const head =
      attachment.magic === 'docx'
        ? docxHead([attachment.filename.replace('.docx', '')], sizeOfBinary(bytes))
        : attachment.magic;
    return { kind: 'leaf', headers, body: binaryBody(head, bytes, offset) };
  }
  const rows = fillerLines(random, Math.min(bytes, 40_000)).map(
    (line, at) => `${at};${line.replace(/ /g, ';')}`,
  );
  return {
    kind: 'leaf',
    headers,
    body: chunkOf(wrapBase64(Buffer.from(`Prénom;Âge\r\n${rows.join('\r\n')}\r\n`))),
  };
}

function plainText(composition: Composition, thread: Thread, random: Random, fill: number): string {
  const first = (composition.fromMe ? thread.partner : composition.me).name.split(' ')[0] ?? '';
  const lines = [thread.french ? `Bonjour ${first},` : `Hello ${first},`, ''];
  for (let count = random.between(1, 3); count > 0; count--) {
    lines.push(paragraph(random, thread.french, random.between(1, 4)), '');
  }
  if (fill > 400) lines.push(...fillerLines(random, fill - 400), '');
  lines.push(
    thread.french ? 'Bien à vous,' : 'Best,',
    (composition.fromMe ? composition.me : thread.partner).name,
    '',
  );
  if (composition.ancestors.length > 0) {
    lines.push(thread.french ? 'Le message précédent disait :' : 'The earlier message said:');
    lines.push(...fillerLines(random, random.between(100, 900), '> '), '');
  }
  return lines.join('\r\n');
}

function htmlOf(text: string): string {
  const paragraphs = text
    .split('\r\n')
    .map((line) => `<p>${line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}</p>`);
  return `<html><body><div dir="ltr">\r\n${paragraphs.join('\r\n')}\r\n</div></body></html>\r\n`;
}
