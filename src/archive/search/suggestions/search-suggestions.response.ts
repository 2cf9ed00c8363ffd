import { ApiProperty } from '@nestjs/swagger';
import type { SearchSuggestions } from './search-suggestions.service';

/** A person who has written. */
export class SuggestedPersonResponse {
  /** Lower-case address.
   * @example ada@plumber.example */
  email: string;

  /** From line of one of the messages.
   * @example "Ada Plumber <ada@plumber.example>" */
  sender: string;
}

export class SearchSuggestionsResponse {
  /** People whose names or addresses have a word that begins so; those with most messages first. */
  people: SuggestedPersonResponse[];

  /** Names of labels that have a word that begins so, in their order. */
  @ApiProperty({ type: [String], example: ['Travel/Adriatic'] })
  labels: string[];
}

export const toSearchSuggestionsResponse = ({
  people,
  labels,
}: SearchSuggestions): SearchSuggestionsResponse => ({
  people: people.map(({ email, sender }) => ({ email, sender })),
  labels: [...labels],
});
