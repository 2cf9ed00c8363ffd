export const JOB_STATUSES = ['active', 'pending', 'completed', 'failed', 'cancelled'] as const;

/** Kinds that people start, or whose work they see. */
export const JOB_KINDS = [
  'bulk_operation',
  'undo_changes',
  'archive_mails',
  'keep_copies',
  'reconcile_mailbox',
  'plan_offload',
  'offload_messages',
  'index_mailbox',
  'import_mbox',
  'import_imap',
  'restore_mails',
  'run_rule',
  'run_retention',
  'scan_unsubscribe',
  'scan_tracking',
  'scan_pii',
  'encrypt_archives',
  'check_integrity',
  'delete_archived_mails',
  'purge_account',
] as const;
