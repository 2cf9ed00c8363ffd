import { ApiError } from '../http/api-error';
import type { MessageNumber } from '../mailbox/mailbox';
import { ok, pageSize, type GmailCall, type GmailRoute } from './gmail-call';
import { matchingMessages, pageTokenOf, placeOf } from './message-search';
import { attachmentResource, messageResource, type MessageFormat } from './message-resource';

const FORMATS: readonly MessageFormat[] = ['minimal', 'metadata', 'full', 'raw'];
/** The estimate whenever there is more than a page: it is of no use, and must look so. */
const ESTIMATE_OF_MANY = 201;

export const messageRoutes: readonly GmailRoute[] = [
  {
    endpoint: 'getProfile',
    method: 'GET',
    pattern: 'profile',
    scopes: ['full', 'modify', 'readonly', 'metadata'],
    handle({ mailbox }) {
      const threads = new Set<MessageNumber>();
      let messagesTotal = 0;
      for (const number of mailbox.newestFirst()) {
        messagesTotal++;
        threads.add(mailbox.headOf(number));
      }
      return ok({
        emailAddress: mailbox.email,
        messagesTotal,
        threadsTotal: threads.size,
        historyId: String(mailbox.history.current),
      });
    },
  },
  {
    endpoint: 'messages.list',
    method: 'GET',
    pattern: 'messages',
    scopes: ['full', 'modify', 'readonly', 'metadata'],
    async handle(call) {
      const { mailbox } = call;
      const limit = pageSize(call.request.query);
      const page: MessageNumber[] = [];
      let more = false;
      for await (const number of matchingMessages(call)) {
        more = page.length === limit;
        if (more) break;
        page.push(number);
      }
      const last = page.at(-1);
      return ok({
        ...(page.length === 0
          ? {}
          : {
              messages: page.map((number) => ({
                id: mailbox.idOf(number),
                threadId: mailbox.threadIdOf(number),
              })),
            }),
        ...(more && last !== undefined ? { nextPageToken: pageTokenOf(placeOf(mailbox, last)) } : {}),
        resultSizeEstimate: more ? ESTIMATE_OF_MANY : page.length,
      });
    },
  },
  {
    endpoint: 'messages.get',
    method: 'GET',
    pattern: 'messages/:id',
    scopes: ['full', 'modify', 'readonly', 'metadata'],
    handle(call) {
      const { mailbox, params, request } = call;
      const format = formatOf(call);
      const number = mailbox.require(params.id as string);
      return ok(
        messageResource(mailbox, number, format, request.query.getAll('metadataHeaders'), call.wants),
      );
    },
  },
  {
    endpoint: 'messages.attachments.get',
    method: 'GET',
    pattern: 'messages/:id/attachments/:attachmentId',
    scopes: ['full', 'modify', 'readonly'],
    handle: ({ mailbox, params }) =>
      ok(attachmentResource(mailbox, mailbox.require(params.id as string), params.attachmentId as string)),
  },
];

/** The wanted format; throws 400 when unknown and 403 when the metadata scope does not allow it. */
export function formatOf({ request, scopes }: GmailCall): MessageFormat {
  const text = (request.query.get('format') ?? 'full').toLowerCase();
  const format = FORMATS.find((known) => known === text);
  if (format === undefined) throw ApiError.invalidArgument(`Invalid value at 'format', "${text}"`);
  if (scopes.size === 1 && scopes.has('metadata') && (format === 'full' || format === 'raw')) {
    throw new ApiError(403, 'forbidden', `Metadata scope doesn't allow format ${format.toUpperCase()}`);
  }
  return format;
}
