/**
 * Who may import whom; see CONTRIBUTING.md.
 *
 * A group imports only from the groups before it. Within a group a feature imports only from the features before it; `a/b` is a
 * part of a feature with a place of its own. The module of a group imports its features.
 */
const GROUPS = {
  platform: [
    'config',
    'context',
    'concurrency',
    'crypto',
    'logging',
    'embedded',
    'text',
    'mime',
    'search',
    'http',
    'validation',
    'redis',
    'rate-limit',
    'database',
    'openapi',
    'workers',
    'confinement',
    'documents',
    'egress',
    'arrivals',
    'sse',
    'access',
    'audit',
    'jobs',
    'events',
  ],
  identity: ['sessions', 'users', 'api-keys', 'two-factor', 'auth', 'passkeys', 'oidc'],
  notify: ['notifications', 'webhooks'],
  providers: ['port', 'gateway', 'oauth', 'gmail', 'imap', 'mailboxes'],
  mailbox: [
    'accounts',
    'labels',
    'messages',
    'live-updates',
    'connect',
    'index',
    'selections',
    'bulk',
    'saved-searches',
  ],
  archive: [
    'buckets',
    'files',
    'passphrases',
    'mails',
    'export',
    'attachments',
    'search',
    'imports',
    'journal',
    'retention',
  ],
  privacy: ['tracking', 'encrypt', 'pii', 'safe-html'],
  cleanup: ['rules', 'newsletters', 'analytics', 'dashboard', 'quota'],
  keep: [
    'continuous/settings',
    'continuous/ledger',
    'integrity',
    'copy-review',
    'continuous',
    'restore',
    'offload',
  ],
  operations: [
    'profile',
    'account-deletion',
    'user-deletion',
    'admin',
    'reports',
    'health',
    'web-client',
    'backup',
    'cli',
  ],
};

/** Imports against the order, each with its reason. There is none: an exception is the last resort, after a better place. */
const EXCEPTIONS = [];

/**
 * Classes with SQL that other features use: locks, totals, and rows by their key. Each is named after what it offers; the
 * repositories of a feature are private to it.
 */
const OFFERED = [
  'archive/mails/archive-totals',
  'archive/mails/holds/archive-holds',
  'archive/mails/holds/archived-copies',
  'archive/mails/stored-mails',
  'archive/mails/writing/archive-lock',
  'identity/users/user-locks',
];

const FOLDERS = Object.entries(GROUPS).flatMap(([group, features]) =>
  features.map((feature) => `${group}/${feature}`),
);
const NAMES = Object.keys(GROUPS);

/** The files of a folder, without those of its parts that have a place of their own. */
const filesOf = (folder) => {
  const parts = FOLDERS.filter((other) => other.startsWith(`${folder}/`)).map((other) =>
    other.slice(folder.length + 1),
  );
  return parts.length === 0 ? `^src/${folder}/` : `^src/${folder}/(?!(${parts.join('|')})/)`;
};

const notOf = (folder) => [
  '\\.spec\\.ts$',
  ...EXCEPTIONS.filter(({ from }) => from.startsWith(`src/${folder}/`)).map(({ from }) => `^${from}$`),
];

const inOrder = FOLDERS.slice(0, -1).map((folder, position) => ({
  name: `${folder.replaceAll('/', '-')}-comes-before`,
  comment: 'A folder imports only from the folders before it in GROUPS.',
  severity: 'error',
  from: { path: filesOf(folder), pathNot: notOf(folder) },
  to: { path: FOLDERS.slice(position + 1).map(filesOf) },
}));

const anyOf = (files) => `^src/(${files.join('|')})\\.ts$`;
const repositoriesArePrivate = {
  name: 'repositories-are-private',
  comment:
    'A repository is used by its own feature. Other features call a service of that feature; see ADR 106.',
  severity: 'error',
  from: { path: '^src/([^/]+/[^/]+)/' },
  to: {
    path: '\\.repository\\.ts$',
    pathNot: ['^src/$1/', '^src/platform/database/base\\.repository\\.ts$'],
  },
};

/** Groups, with the files that stand beside their features. */
const groupsInOrder = NAMES.slice(0, -1).map((group, position) => ({
  name: `${group}-comes-before`,
  comment: 'A group imports only from the groups before it in GROUPS.',
  severity: 'error',
  from: { path: `^src/${group}/`, pathNot: notOf(group) },
  to: { path: `^src/(${NAMES.slice(position + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...groupsInOrder,
    ...inOrder,
    repositoriesArePrivate,
    {
      name: 'listed-in-the-order',
      comment: 'A new folder gets its place in GROUPS. Beside its features a group has its module only.',
      severity: 'error',
      from: {},
      to: {
        path: '^src/[^/]+/',
        pathNot: [
          `^src/(${FOLDERS.join('|')})/`,
          '^src/cli/main\\.ts$',
          `^src/(${NAMES.join('|')})/[^/]+\\.module\\.ts$`,
        ],
      },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: { path: '^(src|sandbox|web)/' },
      to: { circular: true },
    },
    {
      name: 'typeorm-only-in-repositories',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          '(\\.repository\\.ts|\\.entity\\.ts)$|^src/platform/(database|embedded)/|^src/schema\\.ts$|^src/operations/cli/',
          anyOf(OFFERED),
        ],
      },
      to: {
        path: '^node_modules/(typeorm|pg|pg-copy-streams|@nestjs/typeorm)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'repositories-behind-services',
      comment: 'Controllers and crons go through services. A job handler hands repositories on to its run.',
      severity: 'error',
      from: { path: '\\.(controller|cron)\\.ts$' },
      to: { path: '\\.repository\\.ts$' },
    },
    {
      name: 'googleapis-only-in-gmail',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/providers/gmail/' },
      to: { path: '^node_modules/(googleapis|google-auth-library)/' },
    },
    {
      name: 'imapflow-only-in-login',
      comment:
        'One class opens connections to IMAP servers, so that one file decides where a password is sent.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/providers/imap/login/' },
      to: { path: '^node_modules/imapflow/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'passport-only-in-guards-and-strategies',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/access/guards/|\\.strategy\\.ts$' },
      to: { path: '^node_modules/(passport|@nestjs/passport)/' },
    },
    {
      name: 'openid-client-only-in-oidc',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/identity/oidc/' },
      to: { path: '^node_modules/openid-client/' },
    },
    {
      name: 'bull-only-behind-queues',
      comment: 'Bull wakes workers: queues are made in one place, and consumed by processors.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/redis/|\\.processor\\.ts$' },
      to: { path: '^node_modules/(bull|@nestjs/bull)/' },
    },
    {
      name: 'sandbox-is-a-tool',
      comment:
        'The provider simulator is started by main, tests and benches; no feature knows it, and it knows no feature.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/supporting-services\\.ts$' },
      to: { path: '^sandbox/' },
    },
    {
      name: 'sandbox-stands-alone',
      comment:
        'A workspace of its own: Node, the packages that its package.json names, and the search language of providers.',
      severity: 'error',
      from: { path: '^sandbox/src/' },
      to: {
        pathNot: '^sandbox/src/|^src/platform/search/|^node_modules/(iconv-lite|libmime)/',
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'embedded-is-a-tool',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(platform/embedded/|supporting-services\\.ts$|operations/cli/)' },
      to: { path: '^src/platform/embedded/' },
    },
    {
      name: 'adapters-behind-ports',
      comment: 'Features speak to the provider port, never to an adapter or the gateway.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/providers/|^src/schema\\.ts$' },
      to: { path: '^src/providers/(gmail|gateway)/' },
    },
    {
      name: 'sdk-stands-alone',
      comment:
        'It is published by itself, and runs in browsers: nothing of the service, of Node, or of other packages.',
      severity: 'error',
      from: { path: '^sdk/src/' },
      to: { pathNot: '^sdk/src/|^node_modules/openapi-fetch/' },
    },
    {
      name: 'service-knows-no-client',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(sdk|web)/' },
    },
    {
      name: 'web-speaks-through-the-sdk',
      comment: 'The page knows of the service what the SDK says.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(src|sandbox|sdk/src/(?!index\\.ts$))' },
    },
    {
      name: 'web-features-have-groups',
      comment: 'The features of the page have the groups of the service: web/src/features/<group>/<feature>.',
      severity: 'error',
      from: {},
      to: { path: '^web/src/features/', pathNot: `^web/src/features/(${NAMES.join('|')})/` },
    },
    {
      name: 'web-features-stand-alone',
      comment:
        'A feature of the page imports shared, ui, api, jobs, i18n, and what stands beside it in its group; no other feature, and no page of the group.',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/([^/]+)/' },
      to: {
        path: '^web/src/',
        pathNot:
          '^web/src/(features/$1/$2/|features/$1/(?![^/]+Page\\.tsx$)[^/]+$|shared/|ui/|api/|jobs/|i18n/)',
      },
    },
    {
      name: 'web-groups-stand-alone',
      comment: 'What stands beside the features of a group is for that group.',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/[^/]+$' },
      to: { path: '^web/src/', pathNot: '^web/src/(features/$1|shared|ui|api|jobs|i18n)/' },
    },
    {
      name: 'web-pages-show-features',
      comment: 'Only the page of a group shows several of its features.',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/[^/]+$', pathNot: 'Page\\.tsx$' },
      to: { path: '^web/src/features/$1/[^/]+/' },
    },
    {
      name: 'web-layers',
      comment:
        'Texts, then the service, then parts, then jobs, then shared features, then features, then the frame.',
      severity: 'error',
      from: { path: '^web/src/(i18n|api|ui|jobs|shared)/' },
      to: { path: '^web/src/(features|app)/' },
    },
    {
      name: 'web-shared-is-for-features',
      comment: 'What several features show of one feature; parts without one are in ui.',
      severity: 'error',
      from: { path: '^web/src/(i18n|api|ui|jobs)/' },
      to: { path: '^web/src/shared/' },
    },
    {
      name: 'web-api-shows-nothing',
      severity: 'error',
      from: { path: '^web/src/(i18n|api)/' },
      to: { path: '^web/src/(ui|jobs)/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        path: '^(src|sandbox/src)/',
        pathNot: '\\.(spec|task)\\.ts$|^src/(cli/)?main\\.ts$',
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '\\.spec\\.ts$' },
  },
};
