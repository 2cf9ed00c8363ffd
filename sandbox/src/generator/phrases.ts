import { Random } from './random';

export const ENGLISH_SENTENCES: readonly string[] = [
  'Thanks for the quick answer, that clears it up.',
  'Could you have a look at the second page before Friday?',
  'I moved the meeting to Thursday because two of us are travelling.',
  'The budget is fine, only the hosting line looks too high.',
  'Let me know if the new schedule works for everybody.',
  'I attached the version we talked about on the phone.',
  'We should keep the old layout until the review is over.',
  'The train leaves at nine, so we meet in front of the station.',
  'Nobody has complained so far, which is a good sign.',
  'It rained all weekend, but the roof held.',
  'The draft reads well; the introduction could be shorter.',
  'I will call the supplier tomorrow and ask about the delay.',
  'Please forward this to whoever keeps the keys.',
  'The children loved the museum and want to go again.',
  'There is one open question about the warranty.',
  'Our numbers for the quarter are slightly better than expected.',
  'Can you send me the photos of the garden party?',
  'The test environment was down for an hour this morning.',
  'I found the missing invoice behind the printer.',
  'See you on Monday, and enjoy the long weekend.',
];

export const FRENCH_SENTENCES: readonly string[] = [
  'Merci pour votre réponse rapide, tout est clair maintenant.',
  'Peux-tu relire la deuxième page avant vendredi ?',
  'J’ai déplacé la réunion à jeudi car deux d’entre nous voyagent.',
  'Le devis est correct, seule la ligne d’hébergement paraît élevée.',
  'Dites-moi si le nouvel horaire convient à tout le monde.',
  'Je joins la version dont nous avons parlé au téléphone.',
  'Il faudrait garder l’ancienne mise en page jusqu’à la relecture.',
  'Le train part à neuf heures, rendez-vous devant la gare.',
  'Les enfants ont adoré le musée et veulent y retourner.',
  'Il reste une question ouverte au sujet de la garantie.',
  'J’ai retrouvé la facture manquante derrière l’imprimante.',
  'À lundi, et bon week-end prolongé à Noël près de la forêt.',
];

export const ENGLISH_SUBJECTS: readonly string[] = [
  'Meeting on Thursday', 'Budget draft', 'Photos of the garden party', 'Train tickets', 'Question about the warranty',
  'Quarterly numbers', 'Roof repair', 'Review of the introduction', 'Weekend plans', 'Supplier delay',
  'Keys for the office', 'Test environment', 'Birthday dinner', 'Museum visit', 'Contract renewal',
]; // prettier-ignore

export const FRENCH_SUBJECTS: readonly string[] = [
  'Réunion de jeudi', 'Devis de rénovation', 'Photos de l’été', 'Billets de train', 'Dîner d’anniversaire',
  'Compte rendu de l’assemblée', 'Relecture du chapitre', 'Garantie du lave-linge', 'Vacances à la mer',
]; // prettier-ignore

const LINES_IN_POOL = 2048;

/** Long texts are cut from a pool of wrapped lines: writing 40 KB must cost microseconds, not milliseconds. */
const textPool: readonly string[] = ((): string[] => {
  const random = new Random(20_240_229);
  const lines: string[] = [];
  let line = '';
  while (lines.length < LINES_IN_POOL) {
    const sentence = random.pick(ENGLISH_SENTENCES);
    for (const word of sentence.split(' ')) {
      if (line.length + word.length > 70) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
  }
  return lines;
})();

/** About `bytes` bytes of ASCII prose as lines of at most 72 characters, each with a prefix. */
export function fillerLines(random: Random, bytes: number, prefix = ''): string[] {
  const lines: string[] = [];
  let at = random.int(LINES_IN_POOL);
  for (let written = 0; written < bytes;) {
    const line = prefix + (textPool[at] as string);
    lines.push(line);
    written += line.length + 2;
    at = (at + 1) % LINES_IN_POOL;
  }
  return lines;
}

/** A few sentences in one language. */
export function paragraph(random: Random, french: boolean, sentences: number): string {
  const corpus = french ? FRENCH_SENTENCES : ENGLISH_SENTENCES;
  return Array.from({ length: sentences }, () => random.pick(corpus)).join(' ');
}
