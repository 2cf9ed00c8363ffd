/** A display name and an address. */
export interface Person {
  readonly name: string;
  readonly address: string;
}

const FIRST_NAMES = [
  'Alice', 'Benoît', 'Chloé', 'David', 'Élodie', 'Fatima', 'Gérard', 'Hanna', 'Ivan', 'Julie', 'Karim', 'Léa',
  'Marcus', 'Noémie', 'Olivier', 'Paula', 'Quentin', 'Rosa', 'Søren', 'Tomás', 'Ursula', 'Viktor', 'Wei', 'Yasmine',
]; // prettier-ignore
const LAST_NAMES = [
  'Martin', 'Dupont', 'García', 'Müller', 'Nowak', 'Rossi', 'Smith', 'Lefèvre', 'Ångström', 'Okafor', 'Tanaka',
  'Petit', 'Moreau', 'Johnson', 'Ben Salah', 'O’Connor',
]; // prettier-ignore
const HOSTS = [
  'example.org',
  'exemple.fr',
  'studio.example',
  'family.example',
  'uni.example.edu',
  'firm.example',
];

const asciiOf = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase();

/** The people the mailbox's owner writes with: fixed, so that senders repeat as they do in life. */
export const CONTACTS: readonly Person[] = Array.from({ length: 96 }, (_, at) => {
  const first = FIRST_NAMES[at % FIRST_NAMES.length] as string;
  const last = LAST_NAMES[(at * 7 + Math.floor(at / FIRST_NAMES.length)) % LAST_NAMES.length] as string;
  const host = HOSTS[(at * 5) % HOSTS.length] as string;
  return { name: `${first} ${last}`, address: `${asciiOf(first)}.${asciiOf(last)}@${host}` };
});

/** Mail delivery platforms with the shapes of their open pixels and click redirectors. */
export interface Platform {
  readonly pixel: (token: string) => string;
  readonly click: (token: string, target: string) => string;
}

const PLATFORMS: readonly Platform[] = [
  {
    pixel: (token) => `https://example.us1.list-manage.com/track/open.php?u=${token.slice(0, 8)}&id=${token}`,
    click: (token, target) =>
      `https://example.us1.list-manage.com/track/click?u=${token}&url=${encodeURIComponent(target)}`,
  },
  {
    pixel: (token) => `https://u1234.ct.sendgrid.net/wf/open?upn=${token}`,
    click: (token) => `https://u1234.ct.sendgrid.net/ls/click?upn=${token}`,
  },
  {
    pixel: (token) => `https://trk.klaviyomail.com/o/${token}`,
    click: (token) => `https://ctrk.klclick1.com/l/${token}`,
  },
  {
    pixel: (token) => `https://track.customer.io/e/o/${token}`,
    click: (token) => `https://track.customer.io/e/c/${token}`,
  },
  {
    pixel: (token) => `https://t.hubspotemail.net/e2t/o/${token}`,
    click: (token) => `https://t.hubspotemail.net/e2t/c/${token}`,
  },
  {
    pixel: (token) => `https://x.mjt.lu/oo/${token}/e.gif`,
    click: (token) => `https://x.mjt.lu/lnk/${token}`,
  },
];

export interface Brand {
  readonly name: string;
  readonly domain: string;
  readonly platform: Platform | undefined;
  readonly french: boolean;
}

const brand = (name: string, domain: string, platform: number, french = false): Brand => ({
  name,
  domain,
  platform: PLATFORMS[platform],
  french,
});

/** Senders of newsletters and promotions; the last three do not track. */
export const NEWSLETTER_BRANDS: readonly Brand[] = [
  brand('Shoply Deals', 'shoply.example', 0),
  brand('La Gazette du Matin', 'gazette.example', 5, true),
  brand('Cloud Weekly', 'cloudweekly.example', 1),
  brand('Sneaker Planet', 'sneakerplanet.example', 2),
  brand('Cuisine & Saisons', 'cuisine-saisons.example', 0, true),
  brand('Growth Hackers Daily', 'growth.example', 4),
  brand('Voyages Malins', 'voyagesmalins.example', 3, true),
  brand('Bookworm Club', 'bookworm.example', 0),
  brand('Garden Center', 'garden.example', 2),
  brand('DataNews', 'datanews.example', 1),
  brand('FitNow', 'fitnow.example', 3),
  brand('Musée en ligne', 'musee.example', 5, true),
  brand('Jobs for You', 'jobsforyou.example', 4),
  brand('Wine Cellar', 'winecellar.example', 2),
  brand('Indie Games Digest', 'indiegames.example', 1),
  brand('Meteo Pro', 'meteopro.example', 9, true),
  brand('Neighbourhood Bulletin', 'neighbours.example', 9),
  brand('Open Science Letters', 'openscience.example', 9),
];

export const SHOPS: readonly Brand[] = [
  brand('Papeterie Lune', 'papeterie-lune.example', 9, true),
  brand('Hardware Hub', 'hardwarehub.example', 9),
  brand('Rail & Go', 'railandgo.example', 9),
  brand('Électro Dépannage', 'electro.example', 9, true),
  brand('Streamly', 'streamly.example', 9),
  brand('Hôtel des Pins', 'hoteldespins.example', 9, true),
];

export const SERVICES: readonly Brand[] = [
  brand('CodeForge', 'codeforge.example', 9),
  brand('Agenda', 'agenda.example', 9),
  brand('Banque Exemple', 'banque.example', 9, true),
  brand('Uptime Robot', 'uptime.example', 9),
  brand('Parcel Express', 'parcel.example', 9),
];

export const SOCIAL_NETWORKS: readonly Brand[] = [
  brand('Friendbook', 'friendbook.example', 9),
  brand('Linked Careers', 'linkedcareers.example', 9),
  brand('Pixogram', 'pixogram.example', 9),
];
