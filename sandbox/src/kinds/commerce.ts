import { draftOf, type Composition, type Draft } from '../generator/draft';
import { pdfHead } from '../generator/file-heads';
import { attachmentHeaders, type FilenameForm } from '../generator/header-writer';
import { binaryBody, textPart, type MimeNode } from '../generator/mime-writer';
import { SHOPS } from '../generator/people';
import { fillerLines, paragraph } from '../generator/phrases';

/** A receipt with its invoice attached, the file's name in each form mailers use. */
export function composeReceipt(composition: Composition): Draft {
  const random = composition.random('envelope');
  const shop = random.pickSkewed(SHOPS);
  const order = `${random.digits(3)}-${random.digits(7)}-${random.digits(7)}`;
  const total = `${random.between(5, 400)}${shop.french ? ',' : '.'}${random.digits(2)}`;
  const { filename, form } = invoiceName(composition.ordinal, order, shop.french);
  const subject = shop.french ? `Votre reçu ${shop.name} : ${total} €` : `Your ${shop.name} receipt ${order}`;
  const envelope = {
    from: { name: shop.name, address: `billing@${shop.domain}` },
    to: [composition.me],
    subject,
    attachmentNames: [filename],
  };
  return draftOf(composition, envelope, (): MimeNode => {
    const body = composition.random('body');
    const bytes =
      composition.fill > 0
        ? Math.max(3000, composition.fill * 0.73)
        : body.chance(0.03)
          ? 1_200_000
          : body.between(8_000, 90_000);
    const lines = shop.french
      ? [
          'Bonjour,',
          '',
          `Merci pour votre commande ${order}.`,
          `Total TTC : ${total} €`,
          '',
          paragraph(body, true, 2),
        ]
      : [
          'Hello,',
          '',
          `Thank you for your order ${order}.`,
          `Total: EUR ${total}`,
          '',
          paragraph(body, false, 2),
        ];
    return {
      kind: 'multipart',
      subtype: 'mixed',
      boundary: `=_${body.token(24)}`,
      parts: [
        textPart('text/plain', `${lines.join('\r\n')}\r\n`, { encoding: 'quoted-printable' }),
        {
          kind: 'leaf',
          headers: [
            ...attachmentHeaders('application/pdf', filename, form),
            'Content-Transfer-Encoding: base64',
          ],
          // It says what the mail says, so that searches find no more mails once it has been read.
          body: binaryBody(pdfHead(lines), bytes, body.int(8192)),
        },
      ],
    };
  });
}

function invoiceName(
  ordinal: number,
  order: string,
  french: boolean,
): { filename: string; form: FilenameForm } {
  if (!french) return { filename: `invoice-${order}.pdf`, form: 'plain' };
  const forms: readonly FilenameForm[] = ['rfc2231', 'rfc2047', 'rfc2231-continued'];
  return { filename: `Reçu n°${order} – été.pdf`, form: forms[ordinal % forms.length] as FilenameForm };
}

/** A parcel on its way: long digit runs that are neither cards nor phone numbers. */
export function composeShipping(composition: Composition): Draft {
  const random = composition.random('envelope');
  const tracking = random.pick([
    `1Z${random.token(6).toUpperCase()}${random.digits(10)}`,
    random.digits(20),
    `CP${random.digits(9)}FR`,
  ]);
  const envelope = {
    from: { name: 'Parcel Express', address: 'tracking@parcel.example' },
    to: [composition.me],
    subject: `Your parcel ${tracking} is on its way`,
  };
  return draftOf(composition, envelope, () => {
    const body = composition.random('body');
    const lines = [
      `Tracking number: ${tracking}`,
      `Order number: ${body.digits(16)}`,
      `Customer reference: ${body.digits(13)}`,
      `Article: EAN 400${body.digits(10)}, batch ${body.digits(6)}/${body.digits(4)}`,
      '',
      `Follow it: https://parcel.example/t?n=${tracking}`,
      '',
      paragraph(body, false, 2),
      ...(composition.fill > 800 ? fillerLines(body, composition.fill) : []),
    ];
    return textPart('text/plain', `${lines.join('\r\n')}\r\n`, { encoding: '7bit' });
  });
}
