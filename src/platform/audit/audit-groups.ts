/** Groups of actions by which the log is filtered. An action may be in several. */
export const AUDIT_GROUPS = [
  'deletions',
  'sign-in',
  'messages',
  'archive',
  'mailboxes',
  'automation',
  'administration',
] as const;

export type AuditGroup = (typeof AUDIT_GROUPS)[number];

/** The actions of each group; with a dot or a hyphen at the end, the beginning of actions. */
const ACTIONS: Readonly<Record<AuditGroup, readonly string[]>> = {
  deletions: [
    'account.disconnected',
    'account.purge-',
    'label.deleted',
    'mails.delete-',
    'messages.offload-',
    'offload.plan-deleted',
    'passkey.deleted',
    'quota.cleaned',
    'retention.run-',
    'retention-policy.deleted',
    'rule.deleted',
    'user.deleted',
    'user.deletion-requested',
    'webhook.deleted',
  ],
  'sign-in': [
    'api-key.',
    'identity.',
    'passkey.',
    'password.',
    'recovery-code.',
    'recovery-codes.',
    'refresh-token.',
    'session.',
    'sessions.',
    'two-factor.',
  ],
  messages: ['label.', 'messages.', 'rule.run-'],
  archive: [
    'archive.',
    'archiving.',
    'encryption.',
    'integrity.',
    'journal.',
    'mail.',
    'mails.',
    'messages.offload-',
    'offload.',
    'passphrase.',
    'retention.',
    'retention-policy.',
    'storage.',
  ],
  mailboxes: ['account.'],
  automation: ['rule.', 'webhook.'],
  administration: ['admin-role.', 'audit.', 'invitation.', 'quota.', 'user.'],
};

/** Changes of many messages delete when their action, one of the details, does. */
const DELETING_CHANGE = `(action LIKE 'messages.bulk-%' OR action LIKE 'rule.run-%') AND details->>'action' IN ('delete', 'trash')`;

/** The condition on `audit_entries` that the entries of a group meet. */
export function groupCondition(group: AuditGroup): string {
  const conditions = ACTIONS[group].map((action) =>
    /[.-]$/.test(action) ? `action LIKE '${action}%'` : `action = '${action}'`,
  );
  if (group === 'deletions') conditions.push(`(${DELETING_CHANGE})`);
  return `(${conditions.join(' OR ')})`;
}

/** The groups that an action is in, whatever its details. */
export const groupsOf = (action: string): AuditGroup[] =>
  AUDIT_GROUPS.filter((group) =>
    ACTIONS[group].some((one) => (/[.-]$/.test(one) ? action.startsWith(one) : action === one)),
  );
