import type { gmail_v1 } from 'googleapis/build/src/apis/gmail';
import type { MailboxChange } from '../port/mailbox-provider.port';
import { decodeRef } from './message-decoder';

/** Decodes the changes of one page of history, oldest first. */
export function decodeHistory(records: readonly gmail_v1.Schema$History[] | undefined): MailboxChange[] {
  return (records ?? []).flatMap(decodeRecord);
}

function decodeRecord(record: gmail_v1.Schema$History): MailboxChange[] {
  const changes = [
    ...(record.messagesAdded ?? []).map(({ message }) => change('added', message)),
    ...(record.labelsAdded ?? []).map(({ message, labelIds }) =>
      change('labels', message, { labelsAdded: labelIds ?? [] }),
    ),
    ...(record.labelsRemoved ?? []).map(({ message, labelIds }) =>
      change('labels', message, { labelsRemoved: labelIds ?? [] }),
    ),
    ...(record.messagesDeleted ?? []).map(({ message }) => change('deleted', message)),
  ];
  const cursor = record.id;
  return cursor ? changes.map((each) => ({ ...each, cursor })) : changes;
}

function change(
  kind: MailboxChange['kind'],
  message: gmail_v1.Schema$Message | undefined,
  labels: Pick<MailboxChange, 'labelsAdded' | 'labelsRemoved'> = {},
): MailboxChange {
  const labelIds = message?.labelIds;
  return {
    kind,
    message: decodeRef(message ?? {}),
    ...(labelIds && kind !== 'deleted' && { labelIds }),
    ...labels,
  };
}
