import type { SuggestionType } from './analytics.entity';

/** A suggestion, as far as its place in the list depends on it. */
export interface OrderedSuggestion {
  readonly type: SuggestionType;
  readonly sender: string;
  readonly query: string;
  readonly emailCount: number;
  readonly totalSizeBytes: number;
}

/** Mail that people miss least comes first. */
const TYPES: readonly SuggestionType[] = [
  'old_newsletters',
  'bulk_unread',
  'large_sender',
  'duplicate_pattern',
];

/** Words of subjects and addresses of mail that people keep as a record, in the languages of Western Europe. */
const RECORD_WORDS = new Set(
  [
    'receipt receipts invoice invoices bill bills billing payment payments payslip payroll salary statement statements',
    'order orders booking bookings reservation reservations ticket tickets itinerary refund warranty',
    'contract contracts tax taxes insurance policy',
    'reçu reçus facture factures facturation paiement paiements paie salaire relevé relevés commande commandes',
    'réservation réservations billet billets remboursement garantie contrat contrats impôt impôts assurance',
    'rechnung rechnungen beleg belege quittung quittungen zahlung zahlungen gehaltsabrechnung kontoauszug kontoauszüge',
    'bestellung bestellungen buchung buchungen fahrkarte erstattung garantie vertrag verträge steuer versicherung',
    'factura facturas recibo recibos pago pagos nómina pedido pedidos reserva reservas billete contrato seguro',
    'fattura fatture ricevuta ricevute pagamento pagamenti ordine ordini prenotazione biglietto contratto assicurazione',
    'factuur facturen kwitantie betaling bestelling boeking loonstrook fatura recibos pagamento encomenda',
  ].flatMap((words) => words.split(' ').map(withoutAccents)),
);

/**
 * Tells for suggestions whether their mail may be receipts, invoices or other records: by the words of the sender and of
 * the subjects, or because other mail of the sender is.
 */
export function findRecords<T extends OrderedSuggestion>(suggestions: readonly T[]): ReadonlySet<T> {
  const senders = new Set(suggestions.filter(hasRecordWord).map(({ sender }) => sender));
  return new Set(suggestions.filter(({ sender }) => senders.has(sender)));
}

/** Suggestions by what people miss least, records last, and the largest first among those of a type. */
export function inOrder<T extends OrderedSuggestion>(
  suggestions: readonly T[],
  records: ReadonlySet<T>,
): T[] {
  return suggestions.toSorted(
    (a, b) =>
      Number(records.has(a)) - Number(records.has(b)) ||
      TYPES.indexOf(a.type) - TYPES.indexOf(b.type) ||
      b.totalSizeBytes - a.totalSizeBytes ||
      b.emailCount - a.emailCount,
  );
}

function hasRecordWord({ sender, query }: OrderedSuggestion): boolean {
  return withoutAccents(`${sender} ${query}`)
    .split(/[^\p{L}]+/u)
    .some((word) => RECORD_WORDS.has(word));
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
