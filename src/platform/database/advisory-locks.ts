/** Every advisory lock of the service. All processes must agree on a number, so none is ever used again. */
export enum AdvisoryLock {
  Migrations = 7_241_001,
  /** Sign-ups take turns: the first user becomes the administrator. */
  FirstUser = 7_241_002,
  /** Taken together with the name of a queue. */
  JobClaims = 7_241_003,
  DeliveryClaims = 7_241_006,
  Backup = 7_241_010,
  /** Taken together with the id of a user. */
  WeeklyReports = 7_241_011,
  /** Taken together with the id of a user. */
  IntegrityRequests = 7_241_040,
  /** Taken together with the id of a user. */
  JobStarts = 7_241_050,
  /** Taken together with the id of an account. */
  Suggestions = 7_203,
  /** Taken together with the id of an account. */
  IndexBeginnings = 7_241_051,
  /** Makes sure that only one of two first signatures creates the key. */
  InstallationKeys = 7_241_060,
}
