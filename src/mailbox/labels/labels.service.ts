import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { LabelNames } from './label-names';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import {
  CallOptions,
  MailboxLabel,
  MailboxProviders,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import { MessageMetadataSource } from '../accounts/message-metadata.port';

const INTERACTIVE: CallOptions = { priority: 'interactive' };

/** Labels of a live mailbox. Every method throws the 409s of an account that cannot be used. */
@Injectable()
export class LabelsService {
  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly providers: MailboxProviders,
    private readonly names: LabelNames,
    private readonly source: MessageMetadataSource,
    private readonly audit: AuditTrail,
  ) {}

  async list(userId: string, accountId: string, withCounts: boolean): Promise<readonly MailboxLabel[]> {
    const account = await this.accounts.requireUsable(userId, accountId);
    const labels = await this.providers.forAccount(account).listLabels({ ...INTERACTIVE, withCounts });
    await this.names.remember(account.id, labels);
    return labels;
  }

  /** @throws LabelExists */
  async create(userId: string, accountId: string, name: string): Promise<MailboxLabel> {
    const account = await this.accounts.requireUsable(userId, accountId);
    const label = await this.providers.forAccount(account).createLabel(name, INTERACTIVE);
    await this.record('label.created', account, label.id);
    return label;
  }

  /** Deletes a label, and removes it from its messages. @throws LabelNotFound, LabelProtected */
  async delete(userId: string, accountId: string, labelId: string): Promise<void> {
    const account = await this.accounts.requireUsable(userId, accountId);
    await this.providers.forAccount(account).deleteLabel(labelId, INTERACTIVE);
    await this.source.removeLabel(account.id, labelId);
    await this.record('label.deleted', account, labelId);
  }

  /** Records a change after it was made, since a change to the mailbox cannot be undone. */
  private record(action: string, { id: accountId, userId }: ProviderAccount, labelId: string): Promise<void> {
    return this.audit.record({ action, userId, accountId, target: { type: 'label', id: labelId } });
  }
}
