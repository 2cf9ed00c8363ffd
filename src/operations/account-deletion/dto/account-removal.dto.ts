import { QueryBoolean } from '../../../platform/validation/query-transforms';

/** Options of a disconnect. */
export class DisconnectQuery {
  /** Whether the account, its archive and its files are deleted as well, by a job. */
  @QueryBoolean()
  purge?: boolean = false;
}
