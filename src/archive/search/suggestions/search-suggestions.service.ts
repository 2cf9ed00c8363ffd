import { Injectable } from '@nestjs/common';
import { MessageIndexReader } from '../../../mailbox/index/message-index-reader';
import { LabelNames } from '../../../mailbox/labels/label-names';
import type { AuthenticatedUser } from '../../../platform/access/authenticated-user';
import { forEachConcurrently } from '../../../platform/concurrency/for-each-concurrently';
import { type KnownSender, MailSearchService } from '../../mails/search/mail-search.service';
import { SearchedAccounts } from '../searched-accounts';
import type { SuggestionsQuery } from './search-suggestions.dto';

const MOST_PEOPLE = 6;
const MOST_LABELS = 6;
const ACCOUNTS_AT_A_TIME = 3;

export interface SearchSuggestions {
  readonly people: readonly KnownSender[];
  /** Names, sorted. */
  readonly labels: readonly string[];
}

/** Suggests people and labels for a search that is being typed. Only the database is asked. */
@Injectable()
export class SearchSuggestionsService {
  constructor(
    private readonly accounts: SearchedAccounts,
    private readonly archived: MailSearchService,
    private readonly indexed: MessageIndexReader,
    private readonly labels: LabelNames,
  ) {}

  /** @throws AccountNotOwned, ApiKeyAccountRefused */
  async suggest(user: AuthenticatedUser, { text, accountId }: SuggestionsQuery): Promise<SearchSuggestions> {
    const wanted = text.trim();
    const people = new Map<string, KnownSender>();
    const names = new Set<string>();
    const ids = await this.accounts.listIds(user, accountId);
    await forEachConcurrently(ids, ACCOUNTS_AT_A_TIME, async (id) => {
      const [archived, recent, labels] = await Promise.all([
        this.archived.findSenders(id, wanted, MOST_PEOPLE),
        this.indexed.findRecentSenders(id, wanted, MOST_PEOPLE),
        this.labels.namesOf(id),
      ]);
      // A message may be in the mailbox and in the archive.
      for (const person of unite(archived, recent)) {
        const known = people.get(person.email);
        people.set(person.email, known ? { ...known, mails: known.mails + person.mails } : person);
      }
      for (const name of labels.values()) if (hasWord(name, wanted)) names.add(name);
    });
    return {
      people: [...people.values()].toSorted(byMails).slice(0, MOST_PEOPLE),
      labels: [...names].toSorted((one, other) => one.localeCompare(other)).slice(0, MOST_LABELS),
    };
  }
}

function unite(archived: readonly KnownSender[], recent: readonly KnownSender[]): readonly KnownSender[] {
  const people = new Map(archived.map((person) => [person.email, person]));
  for (const person of recent) {
    const known = people.get(person.email);
    people.set(person.email, known ? { ...known, mails: Math.max(known.mails, person.mails) } : person);
  }
  return [...people.values()];
}

const byMails = (one: KnownSender, other: KnownSender): number =>
  other.mails - one.mails || (one.email < other.email ? -1 : 1);

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ');

const hasWord = (name: string, beginning: string): boolean =>
  ` ${fold(name)}`.includes(` ${fold(beginning).trim()}`);
