import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '../common/database/base.repository';
import { EventsRepository } from './events.repository';

const DAY_MS = 86_400_000;
/** Much longer than anything is dispatched again, or shown late. */
const KEPT_DAYS = 90;

/** Events of which nobody is told any more. */
@Injectable()
export class EventsService {
  constructor(private readonly repository: EventsRepository) {}

  /** Removes those of all users that are older than 90 days, in batches. @returns how many */
  remove(now = new Date()): Promise<number> {
    const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
    return deleteInBatches((limit) => this.repository.deleteBefore(before, limit));
  }
}
