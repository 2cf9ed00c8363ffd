export const imapImport = {
  title: 'From another mail server',
  text: 'Copies a folder over IMAP into the archive of {{email}}. Nothing changes on that server.',
  host: 'Server',
  hostPlaceholder: 'imap.example.org',
  port: 'Port',
  secure: 'Encrypted connection (TLS)',
  insecure:
    'Without it, the server’s certificate is not checked, and the password and the mail may cross the network in the clear.',
  user: 'User name',
  pass: 'Password',
  passHelp:
    'Kept encrypted until the import ends, and never shown. Many providers want an app password here.',
  folder: 'Folder',
  folderHelp: 'With / between levels, such as Archive/2024.',
  most: 'Newest messages only',
  mostHelp: 'How many; empty for all.',
  submit: 'Import the folder',
  running: 'The import has been started. You can leave this page.',
  failed: 'The import has stopped.',
  wrong: {
    'imap-host-unreachable': 'The server {{host}} cannot be reached on port {{port}}. {{detail}}',
    'imap-tls-failed': 'No encrypted connection to {{host}} on port {{port}} is possible. {{detail}}',
    'imap-tls-required': '{{host}} takes passwords over an encrypted connection only. Switch it on.',
    'imap-login-failed': '{{host}} refuses the user name or the password. Is an app password needed?',
    'imap-folder-not-found': '{{host}} has no folder {{folder}}.',
    'imap-folder-refused': '{{user}} may not read the folder {{folder}}.',
  },
} as const;
