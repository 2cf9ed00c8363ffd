import { ApiError } from '../http/api-error';
import { ABSENT, type HistoryRecord } from '../mailbox/history-log';
import type { Mailbox } from '../mailbox/mailbox';
import { ok, pageSize, type GmailRoute } from './gmail-call';

const TYPES = ['messageAdded', 'messageDeleted', 'labelAdded', 'labelRemoved'] as const;
type HistoryType = (typeof TYPES)[number];

export const historyRoutes: readonly GmailRoute[] = [
  {
    endpoint: 'history.list',
    method: 'GET',
    pattern: 'history',
    scopes: ['full', 'modify', 'readonly', 'metadata'],
    handle({ mailbox, request: { query } }) {
      const start = parseHistoryId(query.get('startHistoryId'), 'startHistoryId');
      if (!mailbox.history.covers(start)) throw ApiError.notFound();
      const token = query.get('pageToken');
      const from = token === null || token === '' ? start : parseHistoryId(token, 'pageToken');
      const types = wantedTypes(query.getAll('historyTypes'));
      const labelId = query.get('labelId') ?? undefined;
      const limit = pageSize(query);
      const history: Record<string, unknown>[] = [];
      let nextPageToken: string | undefined;
      let lastId = from;
      for (const record of mailbox.history.since(from)) {
        const entry = historyEntry(mailbox, record, types, labelId);
        if (entry !== undefined) {
          if (history.length === limit) {
            nextPageToken = String(lastId);
            break;
          }
          history.push(entry);
        }
        lastId = record.id;
      }
      return ok({
        ...(history.length === 0 ? {} : { history }),
        ...(nextPageToken === undefined ? {} : { nextPageToken }),
        historyId: String(mailbox.history.current),
      });
    },
  },
];

function parseHistoryId(text: string | null, name: string): number {
  if (text === null || text === '') throw ApiError.invalidArgument(`Missing required parameter: ${name}`);
  if (!/^\d{1,15}$/.test(text)) throw ApiError.invalidArgument(`Invalid value for ${name}: ${text}`);
  return Number(text);
}

function wantedTypes(given: readonly string[]): ReadonlySet<HistoryType> {
  const unknown = given.find((type) => !TYPES.some((known) => known === type));
  if (unknown !== undefined) throw ApiError.invalidArgument(`Invalid value at 'history_types', "${unknown}"`);
  return new Set(given.length === 0 ? TYPES : TYPES.filter((type) => given.includes(type)));
}

/** The record in the API's shape, or undefined when it is of no wanted type or label. */
function historyEntry(
  mailbox: Mailbox,
  record: HistoryRecord,
  types: ReadonlySet<HistoryType>,
  labelId: string | undefined,
): Record<string, unknown> | undefined {
  const before = labelsOf(mailbox, record.before);
  const after = labelsOf(mailbox, record.after);
  if (labelId !== undefined && !before.has(labelId) && !after.has(labelId)) return undefined;
  const reference = { id: mailbox.idOf(record.message), threadId: mailbox.threadIdOf(record.message) };
  const message = { ...reference, ...(after.size === 0 ? {} : { labelIds: [...after] }) };
  const changes: Record<string, unknown> = {};
  if (record.before === ABSENT) {
    if (types.has('messageAdded')) changes.messagesAdded = [{ message }];
  } else if (record.after === ABSENT) {
    if (types.has('messageDeleted'))
      changes.messagesDeleted = [{ message: { ...reference, labelIds: [...before] } }];
  } else {
    const added = [...after].filter((label) => !before.has(label));
    const removed = [...before].filter((label) => !after.has(label));
    if (added.length > 0 && types.has('labelAdded')) changes.labelsAdded = [{ message, labelIds: added }];
    if (removed.length > 0 && types.has('labelRemoved'))
      changes.labelsRemoved = [{ message, labelIds: removed }];
  }
  if (Object.keys(changes).length === 0) return undefined;
  return { id: String(record.id), messages: [reference], ...changes };
}

function labelsOf(mailbox: Mailbox, labelSet: number): ReadonlySet<string> {
  return labelSet === ABSENT ? new Set() : mailbox.labelSets.get(labelSet);
}
