import { isDigitAt, isLetterAt } from '../../../platform/text/characters';

/** The meaning that the words before a number give it. */
export type Verdict = 'for' | 'against' | 'silent';

/** Words in lower case without accents: those that go with a kind of number, those that name numbers of other kinds. */
export type ContextWords = ReadonlyMap<string, 'for' | 'against'>;

/** Distance within which a word is looked for, in UTF-16 units. */
const MAX_WINDOW = 120;
const MAX_WORD = 24;

/** Words that name numbers which are no personal data, whatever their form is. */
export const OTHER_NUMBERS =
  'order orders commande commandes cmd cmde tracking suivi colis parcel package shipment expedition livraison bordereau ' +
  'waybill airway awb invoice invoices facture factures devis quote ref refs reference references siren siret rcs tva ' +
  'vat imei imsi iccid isbn issn ean gtin upc sku asin ticket tickets billet reservation reservations booking pnr ' +
  'dossier dossiers incident case transaction transactions trx txn serial serie sn barcode barres barre timestamp epoch ' +
  'horodatage session contrat contrats contract policy adherent client customer membre member abonne subscriber ' +
  'fidelite loyalty uuid guid hash checksum build version commit revision lot batch modele model article produit product ' +
  'part meter compteur pdl pce prm mandat rum ics crediteur creancier loto lottery euromillions tirage gagnant gagnants ' +
  'winning draw identifiant identifiants identifier id ids chronopost colissimo ups dhl fedex usps gls dpd hermes ' +
  'confirmation wallet bitcoin chassis vin plaque brevet patent matricule passeport passport token jeton key log pid trace request ' +
  'correlation bestellnummer bestellung rechnung rechnungsnummer kundennummer sendungsnummer po receipt recu quittance caisse pedido factura ordine fattura device appareil montant amount latitude longitude gps licence license';

/** @param words for and against, with blanks between them; two that belong together are joined by `_` */
export function contextWords(words: { for: string; against: string }): ContextWords {
  const pairs = (list: string, says: 'for' | 'against'): [string, 'for' | 'against'][] =>
    list.split(' ').map((word) => [word.replace('_', ' '), says]);
  return new Map([...pairs(words.against, 'against'), ...pairs(words.for, 'for')]);
}

/**
 * Judges a number by the word nearest before it that is known: on its own line, or, where nothing is before it there,
 * on the line before. Reads 120 characters at most.
 * @param window greatest distance of a word that speaks against it
 */
export function judge(text: string, start: number, words: ContextWords, window: number): Verdict {
  const first = Math.max(0, start - MAX_WINDOW);
  let isOwnLineEmpty = true;
  let linesBack = 0;
  let hasWord = false;
  let hasNumberOfItsOwn = false;
  let at = start - 1;
  while (at >= first) {
    if (text.charCodeAt(at) === 0x0a) {
      if (!isOwnLineEmpty) return 'silent';
      // Empty lines between a label and its value do not count.
      if (linesBack > 0 && text.charCodeAt(at + 1) !== 0x0a) return 'silent';
      linesBack++;
      at--;
      continue;
    }
    if (!isLetterAt(text, at)) {
      if (isDigitAt(text, at)) {
        if (linesBack === 0) isOwnLineEmpty = false;
        hasNumberOfItsOwn ||= hasWord;
      }
      at--;
      continue;
    }
    const end = at + 1;
    while (at >= first && end - at <= MAX_WORD && isLetterAt(text, at)) at--;
    if (linesBack === 0) isOwnLineEmpty = false;
    const word = foldWord(text.slice(at + 1, end));
    const says = words.get(`${wordBefore(text, at)} ${word}`) ?? words.get(word);
    if (says === 'for') return 'for';
    // `Parcel 8812: call 06 …`: the word names the number right behind it, not this one.
    if (says === 'against' && start - end <= window && !hasNumberOfItsOwn) return 'against';
    hasWord = true;
  }
  return 'silent';
}

/** Whether the text right behind a number, on its line, matches `pattern`. */
export function isFollowedBy(text: string, end: number, pattern: RegExp): boolean {
  return pattern.test(text.slice(end, end + 30).split('\n', 1)[0]!);
}

/** The word that ends before the one character at `at`. */
function wordBefore(text: string, at: number): string {
  let first = at;
  while (at - first < MAX_WORD && isLetterAt(text, first - 1)) first--;
  return foldWord(text.slice(first, at));
}

const ASCII = /^[a-z]*$/;

function foldWord(word: string): string {
  const plain = word.toLowerCase();
  return ASCII.test(plain) ? plain : plain.normalize('NFD').replace(/\p{M}/gu, '');
}
