import { QueryBoolean } from '../../common/validation/query-transforms';

/** How an account is disconnected. */
export class DisconnectQuery {
  /** Also removes the account, its archive and its files, as a job. */
  @QueryBoolean()
  purge?: boolean = false;
}
