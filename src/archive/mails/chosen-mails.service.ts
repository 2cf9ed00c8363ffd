import { Injectable } from '@nestjs/common';
import { ResourceNotFound, ValidationFailed } from '../../platform/http/domain-error';
import { TooManyMails } from './archive.errors';
import { ChosenMailsRepository, type ChosenSums } from './chosen-mails.repository';
import type { ChosenMailsDto } from './dto/chosen-mails.dto';
import { mailFilter } from './mail-filter';

/** Mails with what they add up to. */
export interface ChosenMails extends ChosenSums {
  /** Ids of the mails; null: all mails that the account has when the work begins. */
  readonly ids: readonly string[] | null;
}

/** Finds the mails that a request is about. The result is fixed: mail that is archived later does not belong to it. */
@Injectable()
export class ChosenMailsService {
  constructor(private readonly repository: ChosenMailsRepository) {}

  /**
   * @param most mails that the request may be about
   * @throws ValidationFailed unless exactly one of ids and filter is given; ResourceNotFound when an id is unknown or of
   *   another account; TooManyMails
   */
  async find(
    accountId: string,
    { mailIds, filter }: ChosenMailsDto,
    most: number,
  ): Promise<ChosenMails & { readonly ids: readonly string[] }> {
    if (Boolean(mailIds) === Boolean(filter)) {
      throw new ValidationFailed([
        { field: 'mailIds', message: 'exactly one of mailIds and filter must be given' },
      ]);
    }
    const ids = mailIds
      ? [...new Set(mailIds.map((id) => id.toLowerCase()))]
      : await this.repository.findMatching(accountId, mailFilter(filter!), most + 1);
    if (ids.length > most) throw new TooManyMails(most);
    const sums = await this.repository.sumsOf(accountId, ids);
    if (mailIds && sums.mails < ids.length) throw new ResourceNotFound('mail');
    return { ids, ...sums };
  }

  /** Every mail of the account. */
  async chooseAll(accountId: string): Promise<ChosenMails> {
    return { ids: null, ...(await this.repository.sumsOf(accountId, null)) };
  }
}
