import iconv from 'iconv-lite';
import { headerLines, type Composition, type Draft } from '../generator/draft';
import { textPart, type MimeNode, type TextEncoding } from '../generator/mime-writer';
import { CONTACTS } from '../generator/people';

interface Variant {
  /** Charset that the message declares; undefined leaves the declaration out. */
  readonly charset: string | undefined;
  /** Charset that the text is really encoded in, when that differs. */
  readonly encodedAs?: string;
  readonly encoding: TextEncoding;
  readonly text: string;
  readonly subject: string;
}

const EURO = 'Prix : 12 € – « promotion » d’été, l’œuvre naïve de Noël.';
const VARIANTS: readonly Variant[] = [
  {
    charset: 'utf-8',
    encoding: '8bit',
    text: 'Grüße aus Zürich – déjà vu, naïve café ☕',
    subject: 'Grüße ☕',
  },
  { charset: 'UTF-8', encoding: 'quoted-printable', text: EURO, subject: 'Été à la mer' },
  {
    charset: 'utf-8',
    encoding: 'base64',
    text: '日本語のメールです。Привет, мир! Γειά σου',
    subject: '日本語の件名',
  },
  {
    charset: 'iso-8859-1',
    encoding: '8bit',
    text: "Fête de l'été à l'école, garçon, Straße",
    subject: 'Fête',
  },
  {
    charset: 'windows-1252',
    encoding: 'quoted-printable',
    text: `${EURO} It’s “quoted” – 50 €`,
    subject: 'Promotion',
  },
  {
    charset: 'iso-2022-jp',
    encoding: '7bit',
    text: 'こんにちは げんきですか カタカナ',
    subject: 'こんにちは',
  },
  { charset: 'koi8-r', encoding: '8bit', text: 'Здравствуйте, это проверка кодировки.', subject: 'Проверка' },
  { charset: 'gb18030', encoding: 'base64', text: '你好,这是一封测试邮件。', subject: '测试' },
  {
    charset: undefined,
    encodedAs: 'windows-1252',
    encoding: '8bit',
    text: 'Sans étiquette : déjà reçu 5 €',
    subject: 'Sans étiquette',
  },
  {
    charset: 'x-unknown-charset',
    encodedAs: 'utf-8',
    encoding: '8bit',
    text: 'Charset inconnu, texte lisible : éàü',
    subject: 'Charset inconnu',
  },
];

/** The same little mail in every encoding still met; the facts are whatever a reader makes of it. */
export function composeCharset(composition: Composition): Draft {
  const variant = VARIANTS[composition.ordinal % VARIANTS.length] as Variant;
  const random = composition.random('envelope');
  const envelope = { from: random.pick(CONTACTS), to: [composition.me], subject: variant.subject };
  return {
    headers: () => headerLines(composition, envelope),
    body: (): MimeNode => {
      const content = encodeCharset(`${variant.text}\r\n`, variant.encodedAs ?? variant.charset ?? 'utf-8');
      return textPart('text/plain', content, { charset: variant.charset, encoding: variant.encoding });
    },
  };
}

function encodeCharset(text: string, charset: string): Buffer {
  return charset === 'iso-2022-jp' ? encodeKana(text) : iconv.encode(text, charset);
}

/** ISO-2022-JP (RFC 1468) for kana, which iconv-lite lacks: rows 4 and 5 of JIS X 0208 between escapes. */
function encodeKana(text: string): Buffer {
  let out = '';
  let inJis = false;
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    const row = code >= 0x3041 && code <= 0x3093 ? 0x24 : code >= 0x30a1 && code <= 0x30f6 ? 0x25 : 0;
    if (row > 0 !== inJis) out += row > 0 ? '\x1b$B' : '\x1b(B';
    inJis = row > 0;
    out += inJis ? String.fromCharCode(row, code - (row === 0x24 ? 0x3041 : 0x30a1) + 0x21) : char;
  }
  return Buffer.from(out, 'latin1');
}
