import { Injectable } from '@nestjs/common';
import { MailSelectionsService } from '../../archive/mails/selections/mail-selections.service';
import { Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { AppConfig } from '../../platform/config/app-config';
import type { JobContext } from '../../platform/jobs/job-definition';
import { LabelNames } from '../../mailbox/labels/label-names';
import { Destinations } from './destinations/destinations';
import { restoreCost } from './restore-estimate';
import { RestoreItemsRepository } from './restore-items.repository';
import { restoredLabelsOf } from './restored-labels';
import { type RestoreFigures, type RestoreOwner, RestoresRepository } from './restores.repository';

/** Estimates the effects of a restore. It changes nothing in the destination. */
@Injectable()
export class RestorePlanner {
  constructor(
    private readonly restores: RestoresRepository,
    private readonly items: RestoreItemsRepository,
    private readonly selections: MailSelectionsService,
    private readonly destinations: Destinations,
    private readonly names: LabelNames,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /**
   * Chooses the mails of a restore, and counts them. A second run chooses them again.
   * @throws ResourceNotFound, TooManyMails, the errors of the destination
   */
  async plan(owner: RestoreOwner, restoreId: string, job: JobContext): Promise<RestoreFigures> {
    const restore = await this.restores.findOwned(owner, restoreId);
    if (!restore) throw new ResourceNotFound('restore');
    const { accountId } = owner;
    const mails = await this.selections.find(accountId, restore.selection);
    job.setTotal(mails.length);
    const sets = await this.selections.findLabelSets(
      accountId,
      mails.map(({ id }) => id),
    );
    const names = await this.names.namesOf(accountId);
    const labels = sets.map((set) => restoredLabelsOf(set, names, restore));
    const destination = await this.destinations.open(restore, job.signal);
    try {
      const labelsToCreate = await destination.listMissingLabels(labels);
      const { maxBytes } = destination;
      const plan = {
        mails: mails.length,
        labels: labelsToCreate.length,
        verify: restore.verify,
        isOwnMailbox: restore.targetAccountId === accountId,
      };
      const { unitCosts, unitsPerMinute } = this.config.provider;
      const cost =
        restore.targetAccountId === null
          ? { units: null, minutes: null }
          : restoreCost(plan, unitCosts, unitsPerMinute);
      const figures: RestoreFigures = {
        mails: mails.length,
        bytes: mails.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        encrypted: mails.filter(({ isEncrypted }) => isEncrypted).length,
        tooLarge: mails.filter(({ sizeBytes }) => sizeBytes > maxBytes).length,
        labelsToCreate,
        ...cost,
      };
      job.throwIfCancelled();
      await this.transactions.run(async (transaction) => {
        await this.items.replace(restore, mails, transaction);
        await this.restores.markPlanned(restore.id, figures, transaction);
      });
      job.progress({ processed: mails.length });
      return figures;
    } finally {
      await destination.close();
    }
  }
}
