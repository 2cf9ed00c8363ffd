import { Injectable } from '@nestjs/common';
import type { gmail_v1 } from 'googleapis/build/src/apis/gmail';
import { LabelExists, LabelNotFound, LabelProtected, ProviderRejected } from '../port/mail-provider.errors';
import type { CallOptions, MailboxLabel, ProviderAccount } from '../port/mailbox-provider.port';
import { BatchReader } from './batch-reader';
import { encodePathId, describe, GmailApi } from './gmail-api';

type Label = gmail_v1.Schema$Label;

const SYSTEM_LABEL =
  /^(?:INBOX|SENT|DRAFT|SPAM|TRASH|UNREAD|STARRED|IMPORTANT|CHAT|CATEGORY_[A-Z]+|[A-Z]+_STAR)$/;
const COUNT_FIELDS = 'id,name,type,messagesTotal,messagesUnread';

/** Labels of a mailbox. */
@Injectable()
export class GmailLabels {
  constructor(
    private readonly api: GmailApi,
    private readonly batches: BatchReader,
  ) {}

  async list(
    account: ProviderAccount,
    options: CallOptions & { withCounts?: boolean },
  ): Promise<MailboxLabel[]> {
    const labels = await this.listOnce(account, options);
    if (!options.withCounts) return labels.map(decodeLabel);
    const counted = new Map<string, Label>();
    const read = {
      account,
      endpoint: 'labels.get',
      ids: labels.flatMap((label) => label.id ?? []),
      path: (id: string) =>
        `/gmail/v1/users/me/labels/${encodeURIComponent(encodePathId(id))}?fields=${COUNT_FIELDS}`,
    };
    for await (const batch of this.batches.read<Label>(read, options)) {
      for (const label of batch) if (label.id) counted.set(label.id, label);
    }
    return labels.map((label) => decodeLabel(counted.get(label.id ?? '') ?? label));
  }

  async get(account: ProviderAccount, id: string, options: CallOptions): Promise<MailboxLabel> {
    const label = await this.api.call(
      describe(account, 'labels.get', options),
      (users, client) =>
        users.labels.get({ userId: 'me', id: encodePathId(id), fields: COUNT_FIELDS }, client),
      ['id'],
      { notFound: () => new LabelNotFound(), invalidArgument: () => new LabelNotFound() },
    );
    return decodeLabel(label);
  }

  async create(account: ProviderAccount, name: string, options: CallOptions): Promise<MailboxLabel> {
    let attempts = 0;
    try {
      const label = await this.api.call(
        describe(account, 'labels.create', options),
        (users, client, attempt) => {
          attempts = attempt.number;
          const requestBody = { name, labelListVisibility: 'labelShow', messageListVisibility: 'show' };
          return users.labels.create({ userId: 'me', requestBody }, client);
        },
        ['id'],
        {
          conflict: () => new LabelExists(),
          invalidArgument: (message) =>
            /exists|conflict/i.test(message)
              ? new LabelExists()
              : new ProviderRejected('invalidArgument', 'The mail provider does not allow this label name.'),
        },
      );
      return decodeLabel(label);
    } catch (error) {
      // An earlier attempt, its answer lost, may have created it.
      if (!(error instanceof LabelExists) || attempts < 2) throw error;
      const created = (await this.listOnce(account, options)).find((label) => label.name === name);
      if (!created) throw error;
      return decodeLabel(created);
    }
  }

  async delete(account: ProviderAccount, id: string, options: CallOptions): Promise<void> {
    if (SYSTEM_LABEL.test(id)) throw new LabelProtected();
    let attempts = 0;
    try {
      await this.api.sendCommand(
        describe(account, 'labels.delete', options),
        (users, client, attempt) => {
          attempts = attempt.number;
          return users.labels.delete({ userId: 'me', id: encodePathId(id) }, client);
        },
        {
          notFound: () => new LabelNotFound(),
          invalidArgument: (message) =>
            /invalid delete request|system/i.test(message) ? new LabelProtected() : new LabelNotFound(),
        },
      );
    } catch (error) {
      // Deleted by an earlier attempt whose answer was lost.
      if (!(error instanceof LabelNotFound) || attempts < 2) throw error;
    }
  }

  private async listOnce(account: ProviderAccount, options: CallOptions): Promise<readonly Label[]> {
    const answer = await this.api.call(
      describe(account, 'labels.list', options),
      (users, client) => users.labels.list({ userId: 'me' }, client),
      ['labels'],
    );
    return answer.labels ?? [];
  }
}

function decodeLabel(label: Label): MailboxLabel {
  return {
    id: label.id ?? '',
    name: label.name ?? '',
    type: label.type === 'system' ? 'system' : 'user',
    messagesTotal: label.messagesTotal ?? null,
    messagesUnread: label.messagesUnread ?? null,
  };
}
