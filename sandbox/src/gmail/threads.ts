import type { Mailbox, MessageNumber } from '../mailbox/mailbox';
import { jsonBody, noContent, ok, pageSize, type GmailCall, type GmailRoute } from './gmail-call';
import { readLabelChange, createTrashChange, createUntrashChange } from './message-changes';
import { matchingMessages, messageFilter, pageTokenOf, placeOf } from './message-search';
import { messageResource } from './message-resource';
import { formatOf } from './messages';

/** Applies a label change to every message of the thread; the answer names them. */
function changeThread(
  { mailbox, params }: GmailCall,
  change: (labelSet: number) => number,
): Record<string, unknown> {
  const members = mailbox.requireThread(params.id as string);
  for (const number of members) mailbox.changeLabels(number, change);
  return {
    id: params.id,
    messages: members.map((number) => ({
      id: mailbox.idOf(number),
      threadId: mailbox.threadIdOf(number),
      labelIds: [...mailbox.labelsOf(number)],
    })),
  };
}

function newestHistoryId(mailbox: Mailbox, members: readonly MessageNumber[]): string {
  return String(Math.max(...members.map((number) => mailbox.historyIdOf(number))));
}

export const threadRoutes: readonly GmailRoute[] = [
  {
    endpoint: 'threads.list',
    method: 'GET',
    pattern: 'threads',
    scopes: ['full', 'modify', 'readonly', 'metadata'],
    async handle(call) {
      const { mailbox } = call;
      const limit = pageSize(call.request.query);
      const matches = messageFilter(call);
      const page: MessageNumber[] = [];
      let more = false;
      for await (const number of matchingMessages(call)) {
        // A thread stands where its newest matching message stands, on whichever page that is.
        const members = mailbox.threadMembers(mailbox.headOf(number));
        if (members.slice(members.indexOf(number) + 1).some(matches)) continue;
        more = page.length === limit;
        if (more) break;
        page.push(number);
      }
      const last = page.at(-1);
      return ok({
        ...(page.length === 0 ? {} : { threads: page.map((number) => threadSummary(mailbox, number)) }),
        ...(more && last !== undefined ? { nextPageToken: pageTokenOf(placeOf(mailbox, last)) } : {}),
        resultSizeEstimate: more ? 201 : page.length,
      });
    },
  },
  {
    endpoint: 'threads.get',
    method: 'GET',
    pattern: 'threads/:id',
    scopes: ['full', 'modify', 'readonly', 'metadata'],
    handle(call) {
      const { mailbox, params, request } = call;
      const format = formatOf(call);
      const members = mailbox.requireThread(params.id as string);
      return ok({
        id: params.id,
        historyId: newestHistoryId(mailbox, members),
        messages: members.map((number) =>
          messageResource(mailbox, number, format, request.query.getAll('metadataHeaders')),
        ),
      });
    },
  },
  {
    endpoint: 'threads.modify',
    method: 'POST',
    pattern: 'threads/:id/modify',
    scopes: ['full', 'modify'],
    handle: (call) => ok(changeThread(call, readLabelChange(call.mailbox, jsonBody(call.request)))),
  },
  {
    endpoint: 'threads.trash',
    method: 'POST',
    pattern: 'threads/:id/trash',
    scopes: ['full', 'modify'],
    handle: (call) => ok(changeThread(call, createTrashChange(call.mailbox))),
  },
  {
    endpoint: 'threads.untrash',
    method: 'POST',
    pattern: 'threads/:id/untrash',
    scopes: ['full', 'modify'],
    handle: (call) => ok(changeThread(call, createUntrashChange(call.mailbox))),
  },
  {
    endpoint: 'threads.delete',
    method: 'DELETE',
    pattern: 'threads/:id',
    scopes: ['full'],
    handle({ mailbox, params }) {
      for (const number of mailbox.requireThread(params.id as string)) mailbox.remove(number);
      return noContent;
    },
  },
];

function threadSummary(mailbox: Mailbox, newest: MessageNumber): Record<string, unknown> {
  const members = mailbox.threadMembers(mailbox.headOf(newest));
  return {
    id: mailbox.threadIdOf(newest),
    snippet: mailbox.snippetOf(newest),
    historyId: newestHistoryId(mailbox, members),
  };
}
