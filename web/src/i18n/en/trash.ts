/** Treatment of the trash by a mailbox's server, shown before messages are moved there or deleted. */
export const trash = {
  onExpunge:
    'This server moves to its trash what is deleted. It is deleted there as well right afterwards; if that is interrupted, copies stay in the trash.',
  missing:
    'This mailbox has no folder for the trash. Mailroom creates one, “Trash”; where the server refuses that, nothing is moved.',
} as const;
