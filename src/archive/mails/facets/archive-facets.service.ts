import { Injectable } from '@nestjs/common';
import { LabelLookup } from '../../../mailbox/labels/label-lookup';
import { LabelNames } from '../../../mailbox/labels/label-names';
import type { MailFilters } from '../dto/archive.dto';
import type { ArchiveFacetsResponse } from '../dto/facets.response';
import { mailFilter } from '../mail-filter';
import { ArchiveFacetsRepository } from './archive-facets.repository';

/** Counts archived mails by label, sender and month, also those of disconnected accounts. */
@Injectable()
export class ArchiveFacetsService {
  constructor(
    private readonly facets: ArchiveFacetsRepository,
    private readonly names: LabelNames,
  ) {}

  /** @throws ValidationFailed for invalid dates */
  async countFacets(accountId: string, filters: MailFilters): Promise<ArchiveFacetsResponse> {
    const { labels, senders, months, ...totals } = await this.facets.countFacets(
      accountId,
      mailFilter(filters),
    );
    const names = await this.names.namesOf(accountId);
    const nameOf = (id: string): string => LabelLookup.SYSTEM.findById(id)?.name ?? names.get(id) ?? id;
    return {
      ...totals,
      labels: labels.map(({ id, count }) => ({ id, name: nameOf(id), count })),
      senders: [...senders],
      months: [...months],
    };
  }
}
