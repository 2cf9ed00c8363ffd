import { draftOf, type Composition, type Draft } from '../generator/draft';
import { textPart, type MimeNode } from '../generator/mime-writer';
import { CONTACTS, SERVICES, SOCIAL_NETWORKS } from '../generator/people';
import { ENGLISH_SUBJECTS, fillerLines, paragraph } from '../generator/phrases';
import { Random } from '../generator/random';

const NOTICES: readonly ((number: number) => string)[] = [
  (number) => `Build #${number} passed`,
  (number) => `Reminder: team meeting at ${OPENS_AT + (number % WORKING_HOURS)}:00`,
  (number) => `Your statement ${number} is available`,
  (number) => `Incident ${number} resolved`,
];
const OPENS_AT = 8;
const WORKING_HOURS = 10;
const SOCIAL_NOTICES = [
  '% people viewed your profile',
  'New comment on your photo',
  'You have % notifications',
];

/** Automatic messages of services: short, HTML only or plain, from no-reply addresses. */
export function composeNotification(composition: Composition): Draft {
  const random = composition.random('envelope');
  const service = random.pickSkewed(SERVICES);
  const envelope = {
    from: { name: service.name, address: `no-reply@${service.domain}` },
    to: [composition.me],
    subject: random.pick(NOTICES)(random.between(1, 9999)),
    extra: ['Auto-Submitted: auto-generated'],
  };
  return draftOf(composition, envelope, () => {
    const body = composition.random('body');
    const text = `${paragraph(body, service.french, 3)}\r\n${composition.fill > 600 ? fillerLines(body, composition.fill).join('\r\n') : ''}\r\n`;
    return body.chance(0.5)
      ? textPart('text/plain', text)
      : textPart('text/html', `<html><body><p>${text}</p></body></html>\r\n`, { encoding: 'base64' });
  });
}

export function composeSocial(composition: Composition): Draft {
  const random = composition.random('envelope');
  const network = random.pickSkewed(SOCIAL_NETWORKS);
  const token = random.token(20);
  const envelope = {
    from: { name: network.name, address: `notify@${network.domain}` },
    to: [composition.me],
    subject: random.pick(SOCIAL_NOTICES).replace('%', String(random.between(2, 40))),
    extra: [`List-Unsubscribe: <https://${network.domain}/u?k=${token}>`],
  };
  return draftOf(composition, envelope, () => {
    const body = composition.random('body');
    const friend = body.pick(CONTACTS);
    const filler =
      composition.fill > 900 ? `<p>${fillerLines(body, composition.fill).join('\r\n')}</p>\r\n` : '';
    return textPart(
      'text/html',
      `<html><body><p><b>${friend.name}</b> ${paragraph(body, false, 1)}</p>\r\n${filler}<a href="https://${network.domain}/p?fbclid=${token}&amp;utm_source=mail">Open</a>\r\n` +
        `<img src="https://www.${network.domain}/emimp/ip_${token}.gif" style="width:1px;height:1px"></body></html>\r\n`,
      { encoding: 'quoted-printable' },
    );
  });
}

/** A mailing list with threads among strangers. */
export function composeDiscussion(composition: Composition): Draft {
  const thread = new Random(composition.threadSeed);
  const topic = thread.pick(ENGLISH_SUBJECTS);
  const random = composition.random('envelope');
  const list = { name: 'Builders list', address: 'builders@lists.example' };
  const envelope = {
    from: composition.fromMe ? composition.me : random.pick(CONTACTS),
    to: [list],
    subject: `${composition.ancestors.length > 0 ? 'Re: ' : ''}[builders] ${topic}`,
    list: 'Builders list <builders.lists.example>',
    extra: [
      'List-Id: Builders list <builders.lists.example>',
      'List-Post: <mailto:builders@lists.example>',
      'List-Unsubscribe: <mailto:builders-leave@lists.example>',
      'Precedence: list',
    ],
  };
  return draftOf(composition, envelope, (): MimeNode => {
    const body = composition.random('body');
    const quoted =
      composition.ancestors.length > 0 ? `${fillerLines(body, 400, '> ').join('\r\n')}\r\n\r\n` : '';
    const filler = composition.fill > 900 ? fillerLines(body, composition.fill).join('\r\n') : '';
    return textPart(
      'text/plain',
      `${quoted}${paragraph(body, false, 4)}\r\n${filler}\r\n-- \r\nbuilders@lists.example\r\n`,
      { encoding: '8bit' },
    );
  });
}

export function composeSpam(composition: Composition): Draft {
  const random = composition.random('envelope');
  const host = `${random.token(9)}.example`;
  const envelope = {
    from: { name: 'Prize Department', address: `winner${random.digits(4)}@${host}` },
    to: [composition.me],
    subject: `You won ${random.between(100, 999)},000 EUR !!!`,
    extra: [`List-Unsubscribe: <http://${host}/out>`],
  };
  return draftOf(composition, envelope, () => {
    const body = composition.random('body');
    return textPart(
      'text/html',
      `<html><body><h1>CONGRATULATIONS</h1><a href="http://${host}/${body.token(12)}">Claim now</a></body></html>\r\n`,
    );
  });
}
