import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { op } from '../api/op';
import { isSessionOver } from '../api/problems';
import { NotFoundPage } from './NotFoundPage';
import { pageComponent } from '../ui/page-component';
import { PageProblem } from './PageProblem';
import { Root } from './Root';
import { parseSearch, stringifySearch } from './address';
import { archiveSearch } from './archive-search';
import {
  adminSearch,
  attachmentsSearch,
  indexSearch,
  insightsSearch,
  jobsSearch,
  keepSearch,
  loginSearch,
  mailboxSearch,
  privacySearch,
  searchSearch,
  securitySearch,
  settingsSearch,
  spaceSearch,
} from './search-parameters';

interface RouterContext {
  readonly queryClient: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Root,
  notFoundComponent: NotFoundPage,
});

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: loginSearch,
  component: pageComponent(
    () => import('../features/identity/sign-in/LoginPage'),
    'LoginPage',
    'signIn',
    'singleSignOn',
  ),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: pageComponent(() => import('../features/identity/sign-in/SetupPage'), 'SetupPage', 'signIn'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  component: pageComponent(
    () => import('../features/identity/sign-in/RegisterPage'),
    'RegisterPage',
    'signIn',
  ),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite',
  component: pageComponent(() => import('../features/identity/sign-in/InvitePage'), 'InvitePage', 'signIn'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: pageComponent(
    () => import('../features/identity/sign-in/ResetPasswordPage'),
    'ResetPasswordPage',
    'signIn',
  ),
});

/** Everything that needs a session: who has none signs in first, and comes back. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: pageComponent(() => import('./Shell'), 'Shell'),
  beforeLoad: async ({ context: { queryClient }, location }) => {
    try {
      return { me: await queryClient.ensureQueryData(op('auth.me')) };
    } catch (error) {
      if (isSessionOver(error)) redirect({ to: '/login', search: { next: location.href }, throw: true });
      throw error;
    }
  },
  errorComponent: PageProblem,
});

const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { me } }) => {
    const account = me.mailboxAccounts[0];
    if (!account) redirect({ to: '/settings', throw: true });
    else redirect({ to: '/a/$accountId/overview', params: { accountId: account.id }, throw: true });
  },
});

/** The start page of those who have neither a mailbox nor an archive. */
const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/home',
  beforeLoad: ({ context: { me } }) => {
    if (me.mailboxAccounts.length > 0) redirect({ to: '/', throw: true });
  },
  component: pageComponent(() => import('../features/cleanup/overview/OverviewPage'), 'OverviewPage'),
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
});

/** A mailbox provider's consent leads back here, and the identity provider. */
const mailboxes = createRoute({
  getParentRoute: () => settings,
  path: '/',
  validateSearch: settingsSearch,
  beforeLoad: ({ search: { oidc, code } }) => {
    if (oidc) redirect({ to: '/settings/security', search: { oidc, code }, throw: true });
  },
  component: pageComponent(
    () => import('../features/mailbox/accounts/MailboxesPage'),
    'MailboxesPage',
    'mailboxes',
    'forecast',
  ),
});

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  component: pageComponent(
    () => import('../features/operations/profile/ProfilePage'),
    'ProfilePage',
    'settings',
  ),
});

const security = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  validateSearch: securitySearch,
  component: pageComponent(
    () => import('../features/identity/security/SecurityPage'),
    'SecurityPage',
    'settings',
    'security',
    'singleSignOn',
  ),
});

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  component: pageComponent(
    () => import('../features/identity/api-keys/ApiKeysPage'),
    'ApiKeysPage',
    'settings',
    'apiKeys',
  ),
});

const storage = createRoute({
  getParentRoute: () => settings,
  path: '/storage',
  component: pageComponent(() => import('../features/archive/buckets/StoragePage'), 'StoragePage', 'storage'),
});

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  component: pageComponent(
    () => import('../features/notify/webhooks/WebhooksPage'),
    'WebhooksPage',
    'settings',
    'webhooks',
  ),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/a/$accountId',
  component: pageComponent(() => import('./AccountLayout'), 'AccountLayout'),
});

const overview = createRoute({
  getParentRoute: () => account,
  path: '/overview',
  component: pageComponent(() => import('../features/cleanup/overview/OverviewPage'), 'OverviewPage'),
});

const mailbox = createRoute({
  getParentRoute: () => account,
  path: '/mailbox',
  validateSearch: mailboxSearch,
  component: pageComponent(
    () => import('../features/mailbox/messages/MailboxPage'),
    'MailboxPage',
    'mailbox',
    'mailFacts',
    'labelNames',
    'trash',
    'savedSearches',
  ),
});

const space = createRoute({
  getParentRoute: () => account,
  path: '/space',
  validateSearch: spaceSearch,
  component: pageComponent(
    () => import('../features/cleanup/space/SpacePage'),
    'SpacePage',
    'space',
    'suggestions',
  ),
});

const insights = createRoute({
  getParentRoute: () => account,
  path: '/insights',
  validateSearch: insightsSearch,
  component: pageComponent(
    () => import('../features/cleanup/insights/InsightsPage'),
    'InsightsPage',
    'insights',
    'labelNames',
    'charts',
  ),
});

const archive = createRoute({
  getParentRoute: () => account,
  path: '/archive',
  validateSearch: archiveSearch,
  component: pageComponent(
    () => import('../features/archive/mails/ArchivePage'),
    'ArchivePage',
    'archive',
    'search',
    'mailFacts',
    'labelNames',
    'restore',
    'forecast',
    'jobFailures',
    'savedSearches',
  ),
});

const attachments = createRoute({
  getParentRoute: () => account,
  path: '/attachments',
  validateSearch: attachmentsSearch,
  component: pageComponent(() => import('./archive-lists'), 'AttachmentsPage', 'archive', 'mailFacts'),
});

const archiveIndex = createRoute({
  getParentRoute: () => account,
  path: '/index',
  validateSearch: indexSearch,
  component: pageComponent(() => import('./archive-lists'), 'IndexPage', 'search'),
});

const keep = createRoute({
  getParentRoute: () => account,
  path: '/keep',
  validateSearch: keepSearch,
  component: pageComponent(
    () => import('../features/keep/KeepPage'),
    'KeepPage',
    'keep',
    'jobFailures',
    'restore',
    'forecast',
    'archive',
    'trash',
  ),
});

const rules = createRoute({
  getParentRoute: () => account,
  path: '/rules',
  component: pageComponent(
    () => import('../features/cleanup/rules/RulesPage'),
    'RulesPage',
    'rules',
    'labelNames',
    'trash',
  ),
});

const newsletters = createRoute({
  getParentRoute: () => account,
  path: '/newsletters',
  component: pageComponent(
    () => import('../features/cleanup/newsletters/NewslettersPage'),
    'NewslettersPage',
    'newsletters',
    'trash',
  ),
});

const retention = createRoute({
  getParentRoute: () => signedIn,
  path: '/retention',
  component: pageComponent(
    () => import('../features/archive/retention/RetentionPage'),
    'RetentionPage',
    'retention',
  ),
});

const privacy = createRoute({
  getParentRoute: () => account,
  path: '/privacy',
  validateSearch: privacySearch,
  component: pageComponent(() => import('../features/privacy/PrivacyPage'), 'PrivacyPage', 'privacy'),
});

const notifications = createRoute({
  getParentRoute: () => signedIn,
  path: '/notifications',
  component: pageComponent(
    () => import('../features/notify/notifications/NotificationsPage'),
    'NotificationsPage',
    'notifications',
    'notices',
    'jobFailures',
  ),
});

const jobs = createRoute({
  getParentRoute: () => signedIn,
  path: '/jobs',
  validateSearch: jobsSearch,
  component: pageComponent(
    () => import('../features/operations/jobs/JobsPage'),
    'JobsPage',
    'jobFailures',
    'jobList',
  ),
});

const search = createRoute({
  getParentRoute: () => signedIn,
  path: '/search',
  validateSearch: searchSearch,
  component: pageComponent(() => import('../features/archive/search/SearchPage'), 'SearchPage', 'search'),
});

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  component: pageComponent(
    () => import('../features/operations/audit/AuditPage'),
    'AuditPage',
    'audit',
    'jobFailures',
    'mailboxes',
    'singleSignOn',
    'webhooks',
  ),
});

const admin = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin',
  validateSearch: adminSearch,
  component: pageComponent(
    () => import('../features/operations/admin/AdminPage'),
    'AdminPage',
    'admin',
    'audit',
    'jobFailures',
    'mailboxes',
    'singleSignOn',
    'webhooks',
  ),
});

const transfer = createRoute({
  getParentRoute: () => account,
  path: '/transfer',
  component: pageComponent(
    () => import('../features/archive/TransferPage'),
    'TransferPage',
    'transfer',
    'jobFailures',
    'imapImport',
    'forecast',
    'journal',
    'settings',
    'exportForm',
  ),
});

const routes = root.addChildren([
  login,
  setup,
  register,
  invite,
  resetPassword,
  signedIn.addChildren([
    start,
    home,
    retention,
    notifications,
    audit,
    jobs,
    search,
    admin,
    settings.addChildren([mailboxes, profile, security, apiKeys, storage, webhooks]),
    account.addChildren([
      overview,
      space,
      mailbox,
      archive,
      attachments,
      archiveIndex,
      keep,
      rules,
      newsletters,
      privacy,
      insights,
      transfer,
    ]),
  ]),
]);

/** The pages, by their addresses. */
export function createPages(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree: routes,
    context: { queryClient },
    history,
    parseSearch,
    stringifySearch,
    defaultErrorComponent: PageProblem,
    defaultPreload: 'intent',
    // The query cache keeps preloaded data.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPages>;
  }
}
