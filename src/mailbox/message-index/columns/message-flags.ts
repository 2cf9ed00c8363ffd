/** Bits of `mailbox_messages.flags`; the trigger in the migration sets them. */
export const MessageFlag = {
  Unread: 1,
  /** In spam or trash. */
  Hidden: 2,
  /** Sent by the account itself, drafts included. */
  Own: 4,
  Promotion: 8,
  Starred: 16,
  Important: 32,
  Inbox: 64,
  /** Has a List-Unsubscribe header (RFC 2369). */
  Newsletter: 128,
  /** The row must be verified before anybody relies on it. */
  Stale: 256,
} as const;

/** Rows that count in no figure. */
export const NOT_COUNTED = MessageFlag.Hidden | MessageFlag.Stale;
