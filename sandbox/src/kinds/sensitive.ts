import { draftOf, type Composition, type Draft } from '../generator/draft';
import { textPart } from '../generator/mime-writer';
import { CONTACTS } from '../generator/people';
import { paragraph } from '../generator/phrases';
import type { Random } from '../generator/random';
import { cardNumber, frenchNir, frenchPhone, iban, passwordSentence } from '../generator/sensitive-values';

type Topic = readonly [subject: string, lines: (random: Random) => string[]];

const TOPICS: readonly Topic[] = [
  [
    'Card for the booking',
    (random) => [`Please charge my card ${cardNumber(random)}, expiry 09/27, CVC 123.`],
  ],
  [
    'RIB pour le virement',
    (random) => ['Voici mes coordonnées bancaires.', `IBAN : ${iban(random)}`, 'BIC : EXMPFRPP'],
  ],
  ['Dossier de mutuelle', (random) => [`Numéro de sécurité sociale : ${frenchNir(random)}`]],
  [
    'Mon nouveau numéro',
    (random) => [`Tu peux me joindre au ${frenchPhone(random)} ou au ${frenchPhone(random)}.`],
  ],
  [
    'Access to the staging server',
    (random) => [passwordSentence(random), 'Please change it after the first login.'],
  ],
  ['Reset your password', () => ['Forgot your password? It expires in 24 hours.', 'Password: ********']],
  [
    'Order confirmation (no personal data)',
    (random) => [
      `Order ${random.digits(16)}, invoice ${random.digits(13)}, SIRET 123 456 789 00012`,
      `IMEI ${random.digits(15)}, timestamp 17${random.digits(11)}, version 4.1111.1111`,
    ],
  ],
];

/** Planted personal data, and its look-alikes, in plain text or HTML. */
export function composeSensitive(composition: Composition): Draft {
  const [subject, linesOf] = TOPICS[composition.ordinal % TOPICS.length] as Topic;
  const random = composition.random('envelope');
  const envelope = { from: random.pick(CONTACTS), to: [composition.me], subject };
  return draftOf(composition, envelope, () => {
    const body = composition.random('body');
    const lines = [paragraph(body, body.chance(0.5), 2), '', ...linesOf(body), '', paragraph(body, false, 1)];
    return body.chance(0.5)
      ? textPart('text/plain', `${lines.join('\r\n')}\r\n`, { encoding: 'quoted-printable' })
      : textPart(
          'text/html',
          `<html><body>${lines.map((line) => `<p>${line}</p>`).join('\r\n')}</body></html>\r\n`,
          { encoding: 'base64' },
        );
  });
}
