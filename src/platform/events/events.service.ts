import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '../database/base.repository';
import { EventsRepository } from './events.repository';

const DAY_MS = 86_400_000;
/** Long after an event is last dispatched again, or shown late. */
const KEPT_DAYS = 90;

/** Keeps the table of events small. */
@Injectable()
export class EventsService {
  constructor(private readonly repository: EventsRepository) {}

  /** Deletes events of all users that are older than 90 days, in batches. @returns how many */
  deleteOld(now = new Date()): Promise<number> {
    const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
    return deleteInBatches((limit) => this.repository.deleteBefore(before, limit));
  }
}
