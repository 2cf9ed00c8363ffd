import type { MessageMetadata } from '../../../providers/port/mailbox-provider.port';
import type { MatchField, SoughtTerm } from './sought-terms';
import { findMatches } from './text-matches';

/** Weights of the fields as `ts_rank` has them, so that ranks of archived and live mail compare. */
const WEIGHTS: readonly (readonly [MatchField, number])[] = [
  ['subject', 1],
  ['sender', 0.4],
  ['recipient', 0.2],
];
/** Weight of a term that is in none of the fields, so that it must be in the text. */
const TEXT_WEIGHT = 0.1;
/** The rank that `ts_rank` gives to one place of weight 1. */
const ONE_PLACE = 0.6079;

/** The fit of a message of which only the metadata is known with the terms of a search. */
export function rankMetadata(
  { subject, from, to }: Pick<MessageMetadata, 'subject' | 'from' | 'to'>,
  terms: readonly SoughtTerm[],
): number {
  if (terms.length === 0) return 0;
  const texts: Partial<Record<MatchField, string>> = { subject, sender: from, recipient: to };
  const weights = terms.map(() => TEXT_WEIGHT);
  for (const [field, weight] of WEIGHTS)
    for (const { term } of findMatches(texts[field] ?? '', terms, field))
      weights[term] = Math.max(weights[term]!, weight);
  return (ONE_PLACE * weights.reduce((sum, weight) => sum + weight, 0)) / weights.length;
}
