import { draftOf, type Composition, type Draft } from '../generator/draft';
import { textPart, type MimeNode } from '../generator/mime-writer';
import { NEWSLETTER_BRANDS, type Brand } from '../generator/people';
import { fillerLines, paragraph } from '../generator/phrases';
import type { Random } from '../generator/random';

const ENGLISH_TITLES = [
  'Weekly digest #%',
  'Our best deals, up to % % off',
  'Issue % is here',
  '% things to try this month',
];
const FRENCH_TITLES = [
  'La sélection de la semaine n° %',
  'Jusqu’à % % de réduction',
  '% idées pour le week-end',
];

/** A newsletter with its list headers, tracked links and, from most senders, an open pixel. */
export function composeNewsletter(composition: Composition): Draft {
  const random = composition.random('envelope');
  const brand = random.pickSkewed(NEWSLETTER_BRANDS);
  const token = random.token(24);
  const title = random.pick(brand.french ? FRENCH_TITLES : ENGLISH_TITLES);
  const list = `${brand.name.normalize('NFD').replace(/[^A-Za-z ]/g, '')} <news.${brand.domain}>`;
  const envelope = {
    from: { name: brand.name, address: `news@${brand.domain}` },
    to: [composition.me],
    subject: `${brand.name}: ${title.replace('%', String(random.between(3, 70)))}`,
    list,
    extra: [
      `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${brand.domain}; s=s1;\r\n\th=from:to:subject:date:list-unsubscribe:list-unsubscribe-post;\r\n\tbh=${token}=; b=${random.token(40)}`,
      `List-Id: ${list}`,
      ...unsubscribeHeaders(brand, token, NEWSLETTER_BRANDS.indexOf(brand)),
      'Precedence: bulk',
    ],
  };
  return draftOf(composition, envelope, () => body(composition, brand, token));
}

/** The forms of RFC 2369 and RFC 8058 seen in the wild; a sender keeps to one. */
function unsubscribeHeaders(brand: Brand, token: string, form: number): string[] {
  const link = `https://${brand.domain}/unsubscribe?u=${token}`;
  const mailto = `mailto:unsubscribe@${brand.domain}?subject=unsubscribe%20${token}`;
  const oneClick = 'List-Unsubscribe-Post: List-Unsubscribe=One-Click';
  switch (form % 6) {
    case 0:
      return [`List-Unsubscribe: <${link}>, <${mailto}>`, oneClick];
    case 1:
      return [`List-Unsubscribe: <${mailto}>`];
    case 2:
      return [`List-Unsubscribe: <${link}>`];
    case 3:
      return [`List-Unsubscribe: (Use this to leave the list) <${mailto}>,\r\n\t<${link}&a=1,2>`, oneClick];
    case 4:
      return [`List-Unsubscribe:\r\n <${link}>`, oneClick];
    default:
      return [];
  }
}

function body(composition: Composition, brand: Brand, token: string): MimeNode {
  const random = composition.random('body');
  const articles = articlesOf(composition, brand, random);
  const text = articles.map((article) => `${article.title}\r\n${article.text}\r\n`).join('\r\n');
  const boundary = `_----------=_${random.token(20)}`;
  const html = htmlOf(brand, token, articles, random);
  const encoding = random.pick(['quoted-printable', '8bit', 'base64'] as const);
  return {
    kind: 'multipart',
    subtype: 'alternative',
    boundary,
    parts: [
      textPart('text/plain', text, { encoding: 'quoted-printable' }),
      textPart('text/html', html, { encoding }),
    ],
  };
}

interface Article {
  readonly title: string;
  readonly text: string;
}

function articlesOf(composition: Composition, brand: Brand, random: Random): Article[] {
  const articles = Array.from({ length: random.between(3, 7) }, () => ({
    title: paragraph(random, brand.french, 1),
    text: paragraph(random, brand.french, random.between(2, 6)),
  }));
  // The text is sent twice, as plain and as HTML.
  for (let left = composition.fill / 2; left > 500; left -= 4000) {
    articles.push({
      title: paragraph(random, brand.french, 1),
      text: fillerLines(random, Math.min(left, 4000)).join('\r\n'),
    });
  }
  return articles;
}

function htmlOf(brand: Brand, token: string, articles: readonly Article[], random: Random): string {
  const target = (path: string): string =>
    `https://www.${brand.domain}/${path}?utm_source=newsletter&utm_medium=email&utm_campaign=${random.token(6)}&id=${random.digits(5)}`;
  const link = (path: string): string =>
    brand.platform?.click(`${token}${random.token(8)}`, target(path)) ?? target(path);
  const rows = articles.map(
    (article, at) =>
      `<tr><td><img src="https://cdn.${brand.domain}/img/${at}.jpg" width="560" height="240" alt="${brand.name}">\r\n` +
      `<h2><a href="${link(`a/${at}`).replace(/&/g, '&amp;')}">${article.title}</a></h2>\r\n<p>${article.text}</p></td></tr>`,
  );
  const pixel =
    brand.platform === undefined
      ? ''
      : `<img src="${brand.platform.pixel(token).replace(/&/g, '&amp;')}" width="1" height="1" border="0">`;
  return [
    '<!DOCTYPE html><html><head><style>td{font-family:Arial}@media(max-width:600px){.m{display:none}}</style></head><body>',
    `<div style="display:none;max-height:0">${paragraph(random, brand.french, 1)}</div>`,
    `<table width="600"><tr><td><img src="https://cdn.${brand.domain}/spacer.gif" width="1" height="20"></td></tr>`,
    ...rows,
    `</table><p><a href="https://${brand.domain}/unsubscribe?u=${token}">${brand.french ? 'Se désinscrire' : 'Unsubscribe'}</a></p>`,
    `${pixel}</body></html>`,
    '',
  ].join('\r\n');
}
