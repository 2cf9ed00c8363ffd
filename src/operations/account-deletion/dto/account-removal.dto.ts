import { QueryBoolean } from '../../../platform/validation/query-transforms';

/** Options of a disconnect. */
export class DisconnectQuery {
  /** Also deletes the account, its archive and its files, as a job. */
  @QueryBoolean()
  purge?: boolean = false;
}
