/** Who may import whom; see CONTRIBUTING.md. */
const features =
  '^src/(mailbox|archive|attachments|imports|storage|retention|integrity|analytics|dashboard|newsletters|rules|privacy|jobs|quota|events|webhooks|notifications|reports|saved-searches|auth|users|admin|audit|health|backup)/';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Cycles of types alone cost nothing at run time.',
      severity: 'error',
      from: { path: '^(src|sandbox)/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'common-knows-no-feature',
      comment: 'common/ holds no domain words: it defines ports, features implement them.',
      severity: 'error',
      from: { path: '^src/common/' },
      to: { path: features },
    },
    {
      name: 'typeorm-only-in-repositories',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '(\\.repository\\.ts|\\.entity\\.ts)$|^src/common/database/|^src/embedded/|^src/schema\\.ts$|^src/cli/',
      },
      to: {
        path: '^node_modules/(typeorm|pg|pg-copy-streams|@nestjs/typeorm)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'repositories-behind-services',
      comment: 'Controllers, jobs and crons go through services.',
      severity: 'error',
      from: { path: '\\.(controller|cron|job)\\.ts$' },
      to: { path: '\\.repository\\.ts$' },
    },
    {
      name: 'googleapis-only-in-gmail',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/mailbox/providers/gmail/' },
      to: { path: '^node_modules/(googleapis|google-auth-library)/' },
    },
    {
      name: 'openid-client-only-in-oidc',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/auth/oidc/' },
      to: { path: '^node_modules/openid-client/' },
    },
    {
      name: 'bull-only-in-common-jobs',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/common/jobs/' },
      to: { path: '^node_modules/bull/' },
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
      comment: 'A workspace of its own: Node, and the packages that its package.json names.',
      severity: 'error',
      from: { path: '^sandbox/src/' },
      to: { pathNot: '^sandbox/src/|^node_modules/(iconv-lite|libmime)/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'embedded-is-a-tool',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(embedded/|supporting-services\\.ts$|cli/)' },
      to: { path: '^src/embedded/' },
    },
    {
      name: 'adapters-behind-ports',
      comment: 'Features speak to the provider port, never to an adapter or the gateway.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/mailbox/providers/|^src/schema\\.ts$' },
      to: { path: '^src/mailbox/providers/(gmail|gateway)/' },
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
      to: { path: '^sdk/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^(src|sandbox/src)/', pathNot: '\\.(spec|task)\\.ts$|^src/main\\.ts$' },
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
