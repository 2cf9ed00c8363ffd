import type { Label, LabelInput } from '../mailbox/label-registry';
import type { Mailbox, MessageNumber } from '../mailbox/mailbox';
import { jsonBody, noContent, ok, optionalString, type GmailRoute } from './gmail-call';

/** A label with its exact counts, as labels.get has it and labels.list has not. */
function countedLabel(mailbox: Mailbox, label: Label): Record<string, unknown> {
  const threads = new Set<MessageNumber>();
  const unreadThreads = new Set<MessageNumber>();
  let messagesTotal = 0;
  let messagesUnread = 0;
  for (const number of mailbox.newestFirst()) {
    const labels = mailbox.labelsOf(number);
    if (!labels.has(label.id)) continue;
    messagesTotal++;
    threads.add(mailbox.headOf(number));
    if (!labels.has('UNREAD')) continue;
    messagesUnread++;
    unreadThreads.add(mailbox.headOf(number));
  }
  return {
    ...label,
    messagesTotal,
    messagesUnread,
    threadsTotal: threads.size,
    threadsUnread: unreadThreads.size,
  };
}

function labelInput(body: Record<string, unknown>): LabelInput {
  const name = optionalString(body, 'name');
  const messageListVisibility = optionalString(body, 'messageListVisibility');
  const labelListVisibility = optionalString(body, 'labelListVisibility');
  return {
    ...(name === undefined ? {} : { name }),
    ...(messageListVisibility === undefined ? {} : { messageListVisibility }),
    ...(labelListVisibility === undefined ? {} : { labelListVisibility }),
    ...(body.color === undefined ? {} : { color: body.color }),
  };
}

export const labelRoutes: readonly GmailRoute[] = [
  {
    endpoint: 'labels.list',
    method: 'GET',
    pattern: 'labels',
    scopes: ['full', 'modify', 'readonly', 'metadata', 'labels'],
    handle: ({ mailbox }) => ok({ labels: mailbox.labels.list() }),
  },
  {
    endpoint: 'labels.get',
    method: 'GET',
    pattern: 'labels/:id',
    scopes: ['full', 'modify', 'readonly', 'metadata', 'labels'],
    handle: ({ mailbox, params }) => ok(countedLabel(mailbox, mailbox.labels.get(params.id as string))),
  },
  {
    endpoint: 'labels.create',
    method: 'POST',
    pattern: 'labels',
    scopes: ['full', 'modify', 'labels'],
    handle: ({ mailbox, request }) => ok(mailbox.labels.create(labelInput(jsonBody(request)))),
  },
  {
    endpoint: 'labels.update',
    method: 'PUT',
    pattern: 'labels/:id',
    scopes: ['full', 'modify', 'labels'],
    handle: ({ mailbox, params, request }) =>
      ok(mailbox.labels.update(params.id as string, labelInput(jsonBody(request)), true)),
  },
  {
    endpoint: 'labels.patch',
    method: 'PATCH',
    pattern: 'labels/:id',
    scopes: ['full', 'modify', 'labels'],
    handle: ({ mailbox, params, request }) =>
      ok(mailbox.labels.update(params.id as string, labelInput(jsonBody(request)), false)),
  },
  {
    endpoint: 'labels.delete',
    method: 'DELETE',
    pattern: 'labels/:id',
    scopes: ['full', 'modify', 'labels'],
    handle({ mailbox, params }) {
      mailbox.labels.delete(params.id as string);
      mailbox.removeLabelEverywhere(params.id as string);
      return noContent;
    },
  },
];
