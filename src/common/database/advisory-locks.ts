/** Every advisory lock of the service. Processes of all versions must agree on a number, so none is used again. */
export enum AdvisoryLock {
  Migrations = 7_241_001,
  FirstUser = 7_241_002,
  /** With the name of a queue. */
  JobClaims = 7_241_003,
  DeliveryClaims = 7_241_006,
  Backup = 7_241_010,
  WeeklyReports = 7_241_011,
  IntegrityRequests = 7_241_040,
  /** With the id of an account. */
  Suggestions = 7_203,
}
