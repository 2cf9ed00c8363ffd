import { Injectable } from '@nestjs/common';
import { ResourceNotFound, ValidationFailed } from '../../../platform/http/domain-error';
import { TooManyMails } from '../archive.errors';
import { ChosenMailsRepository } from '../chosen-mails.repository';
import type { MailSelectionDto } from '../dto/mail-selection.dto';
import { mailFilter, NO_FILTER } from '../mail-filter';
import { type LabelSet, MailSelectionsRepository, type SelectedMail } from './mail-selections.repository';

export type { SelectedMail } from './mail-selections.repository';

/** Most mails of one restore or of one exported mailbox. */
export const MAX_SELECTED_MAILS = 100_000;

const WAYS = ['mailIds', 'threadIds', 'planId', 'filter', 'all'] as const;

/** Finds the mails that a person has selected. */
@Injectable()
export class MailSelectionsService {
  constructor(
    private readonly chosen: ChosenMailsRepository,
    private readonly repository: MailSelectionsRepository,
  ) {}

  /**
   * Checks what can be checked before the mails are looked for.
   * @param field of the request that holds the selection
   * @throws ValidationFailed unless the mails are named in exactly one way; ResourceNotFound for ids of no mail of the account
   */
  async check(accountId: string, selection: MailSelectionDto, field: string): Promise<void> {
    const given = WAYS.filter((way) => selection[way] != null);
    if (given.length !== 1) {
      throw new ValidationFailed([
        { field, message: `${field} must have exactly one of ${WAYS.join(', ')}` },
      ]);
    }
    if (selection.filter) mailFilter(selection.filter);
    if (!selection.mailIds) return;
    const ids = idsOf(selection.mailIds);
    if ((await this.chosen.sumsOf(accountId, ids)).mails < ids.length) throw new ResourceNotFound('mail');
  }

  /** The selected mails, oldest first. @throws TooManyMails, ValidationFailed */
  async find(accountId: string, selection: MailSelectionDto): Promise<SelectedMail[]> {
    const ids = await this.idsOf(accountId, selection);
    if (ids.length > MAX_SELECTED_MAILS) throw new TooManyMails(MAX_SELECTED_MAILS);
    return this.repository.describe(accountId, ids);
  }

  /** The different sets of labels that stand on some mails. */
  findLabelSets(accountId: string, ids: readonly string[]): Promise<LabelSet[]> {
    return this.repository.findLabelSets(accountId, ids);
  }

  private idsOf(accountId: string, selection: MailSelectionDto): Promise<string[]> {
    const limit = MAX_SELECTED_MAILS + 1;
    if (selection.mailIds) return Promise.resolve(idsOf(selection.mailIds));
    if (selection.threadIds)
      return this.repository.findIdsOfThreads(accountId, [...new Set(selection.threadIds)], limit);
    if (selection.planId) return this.repository.findIdsOfPlan(accountId, selection.planId, limit);
    const filter = selection.filter ? mailFilter(selection.filter) : NO_FILTER;
    return this.chosen.findMatching(accountId, filter, limit);
  }
}

const idsOf = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];
