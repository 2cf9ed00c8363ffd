import { ApiError } from '../http/api-error';
import type { Mailbox, MessageNumber } from '../mailbox/mailbox';
import { jsonBody, noContent, ok, stringList, type GmailRoute } from './gmail-call';

const MAX_BATCH_IDS = 1000;
const MAX_LABELS = 100;

/** The part of `messages.get?format=minimal` that concerns labels, and no more. */
function minimalResource(mailbox: Mailbox, number: MessageNumber): Record<string, unknown> {
  return {
    id: mailbox.idOf(number),
    threadId: mailbox.threadIdOf(number),
    labelIds: [...mailbox.labelsOf(number)],
  };
}

/** The label change a body asks for; throws 400 with Gmail's messages when it is none. */
export function readLabelChange(
  mailbox: Mailbox,
  body: Record<string, unknown>,
): (labelSet: number) => number {
  const add = stringList(body, 'addLabelIds');
  const remove = stringList(body, 'removeLabelIds');
  if (add.length === 0 && remove.length === 0)
    throw ApiError.invalidArgument('No label add or removes specified');
  if (add.length > MAX_LABELS || remove.length > MAX_LABELS)
    throw ApiError.invalidArgument('Too many labels specified');
  for (const id of [...add, ...remove]) mailbox.labels.requireMutable(id);
  if (add.some((id) => remove.includes(id)))
    throw ApiError.invalidArgument('Cannot both add and remove the same label');
  return mailbox.labelSets.createChange(add, remove);
}

export const createTrashChange = (mailbox: Mailbox): ((labelSet: number) => number) =>
  mailbox.labelSets.createChange(['TRASH'], ['INBOX']);
export const createUntrashChange = (mailbox: Mailbox): ((labelSet: number) => number) =>
  mailbox.labelSets.createChange([], ['TRASH']);

function batchIds(body: Record<string, unknown>): string[] {
  const ids = stringList(body, 'ids');
  if (ids.length === 0) throw ApiError.invalidArgument('No message ids specified');
  if (ids.length > MAX_BATCH_IDS)
    throw ApiError.invalidArgument(`Number of ids cannot exceed ${MAX_BATCH_IDS}`);
  return ids;
}

export const messageChangeRoutes: readonly GmailRoute[] = [
  {
    endpoint: 'messages.modify',
    method: 'POST',
    pattern: 'messages/:id/modify',
    scopes: ['full', 'modify'],
    handle({ mailbox, params, request }) {
      const number = mailbox.require(params.id as string);
      mailbox.changeLabels(number, readLabelChange(mailbox, jsonBody(request)));
      return ok(minimalResource(mailbox, number));
    },
  },
  {
    endpoint: 'messages.batchModify',
    method: 'POST',
    pattern: 'messages/batchModify',
    scopes: ['full', 'modify'],
    handle({ mailbox, request }) {
      const body = jsonBody(request);
      const ids = batchIds(body);
      const change = readLabelChange(mailbox, body);
      for (const id of ids) {
        // Unknown ids are passed over without a word.
        const number = mailbox.find(id);
        if (number !== undefined) mailbox.changeLabels(number, change);
      }
      return noContent;
    },
  },
  {
    endpoint: 'messages.batchDelete',
    method: 'POST',
    pattern: 'messages/batchDelete',
    scopes: ['full'],
    handle({ mailbox, request }) {
      for (const id of batchIds(jsonBody(request))) {
        const number = mailbox.find(id);
        if (number !== undefined) mailbox.remove(number);
      }
      return noContent;
    },
  },
  {
    endpoint: 'messages.trash',
    method: 'POST',
    pattern: 'messages/:id/trash',
    scopes: ['full', 'modify'],
    handle({ mailbox, params }) {
      const number = mailbox.require(params.id as string);
      mailbox.changeLabels(number, createTrashChange(mailbox));
      return ok(minimalResource(mailbox, number));
    },
  },
  {
    endpoint: 'messages.untrash',
    method: 'POST',
    pattern: 'messages/:id/untrash',
    scopes: ['full', 'modify'],
    handle({ mailbox, params }) {
      const number = mailbox.require(params.id as string);
      mailbox.changeLabels(number, createUntrashChange(mailbox));
      return ok(minimalResource(mailbox, number));
    },
  },
  {
    endpoint: 'messages.delete',
    method: 'DELETE',
    pattern: 'messages/:id',
    scopes: ['full'],
    handle({ mailbox, params }) {
      mailbox.remove(mailbox.require(params.id as string));
      return noContent;
    },
  },
];
