import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../http/api-error';
import type { MessageNumber, Mailbox } from '../mailbox/mailbox';
import { compileSearch, type CompiledSearch } from '../../../src/platform/search/search-compiler';
import { flag, type GmailCall } from './gmail-call';

/** Other requests get a turn this often while a search looks through a big mailbox. */
const TURN_MS = 8;

interface Place {
  readonly date: number;
  readonly number: MessageNumber;
}

/** The messages a list call asks for, newest first, from its page token on. */
export async function* matchingMessages(call: GmailCall): AsyncGenerator<MessageNumber> {
  const { mailbox, request } = call;
  const matches = messageFilter(call);
  let place = readPageToken(request.query.get('pageToken'));
  let turnEnds = performance.now() + TURN_MS;
  for (let finished = false; !finished;) {
    finished = true;
    for (const number of mailbox.newestFirst(place)) {
      // The order may change while others have their turn: go on from the place, not from the iterator.
      if (performance.now() > turnEnds) {
        await nextTurn();
        turnEnds = performance.now() + TURN_MS;
        finished = false;
        break;
      }
      place = placeOf(mailbox, number);
      if (matches(number)) yield number;
    }
  }
}

/** Makes a filter from the call's `q`, `labelIds` and `includeSpamTrash`. */
export function messageFilter(call: GmailCall): (number: MessageNumber) => boolean {
  const { mailbox, request, scopes } = call;
  const labelIds = request.query.getAll('labelIds');
  for (const id of labelIds) {
    if (!mailbox.labels.list().some((label) => label.id === id))
      throw ApiError.invalidArgument(`Invalid label: ${id}`);
  }
  const search = compileQuery(call, request.query.get('q') ?? '');
  if (search !== undefined && scopes.size === 1 && scopes.has('metadata')) {
    throw new ApiError(403, 'forbidden', "Metadata scope does not support 'q' parameter");
  }
  const all = flag(request.query, 'includeSpamTrash');
  const withSpam = all || labelIds.includes('SPAM') || search?.wantsSpam === true;
  const withTrash = all || labelIds.includes('TRASH') || search?.wantsTrash === true;
  // Labels are decided once per distinct set, not once per message.
  const admitted = new Map<number, boolean>();
  const admits = (setId: number): boolean => {
    const labels = mailbox.labelSets.get(setId);
    return (
      labelIds.every((id) => labels.has(id)) &&
      (withSpam || !labels.has('SPAM')) &&
      (withTrash || !labels.has('TRASH'))
    );
  };
  return (number) => {
    const setId = mailbox.labelSetOf(number);
    let admit = admitted.get(setId);
    if (admit === undefined) admitted.set(setId, (admit = admits(setId)));
    return admit && (search === undefined || search.matches(mailbox.subjectOf(number)));
  };
}

function compileQuery({ mailbox, now }: GmailCall, query: string): CompiledSearch | undefined {
  if (query.trim() === '') return undefined;
  return compileSearch(query, {
    now,
    email: mailbox.email,
    accountId: mailbox.email,
    labelId: (name) => mailbox.labels.idOf(name),
    isUserLabel: (id) => mailbox.labels.isUserLabel(id),
    isSpelled: false,
    unreadable: 'matches-nothing',
  });
}

export function placeOf(mailbox: Mailbox, number: MessageNumber): Place {
  return { date: mailbox.dateOf(number), number };
}

/** A page token names the last message of its page. */
export function pageTokenOf(place: Place): string {
  return Buffer.from(`${place.date}.${place.number}`).toString('base64url');
}

function readPageToken(token: string | null): Place | undefined {
  if (token === null || token === '') return undefined;
  const match = /^(\d+)\.(\d+)$/.exec(Buffer.from(token, 'base64url').toString());
  if (match === null) throw ApiError.invalidArgument('Invalid pageToken');
  return { date: Number(match[1]), number: Number(match[2]) };
}
