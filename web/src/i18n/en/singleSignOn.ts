/** Results of a visit to the identity provider, by code of the service. */
export const singleSignOn = {
  linked: '{{name}} is linked: you can sign in through it from now on.',
  failed: {
    title: 'Single sign-on did not work',
    other: 'The service says {{code}}.',
    'oidc-denied': 'The identity provider did not let you through, or you refused there.',
    'oidc-failed': 'The identity provider reports an error. Try again, or tell your administrator.',
    'oidc-unavailable': 'The identity provider does not answer. Try again in a moment.',
    'oidc-state-invalid': 'It took too long, or was begun twice. Try again.',
    'oidc-browser-mismatch': 'It was begun in another browser. Begin and finish it in the same one.',
    'oidc-token-invalid': 'What the identity provider says cannot be trusted. Tell your administrator.',
    'oidc-email-unverified': 'The identity provider has not verified your e-mail address.',
    'oidc-link-needs-totp':
      'There is an account with your address that takes a code. Sign in with its password and a code, then link the identity provider under Settings, Security.',
    'oidc-link-needs-password':
      'There is an account with your address that has a password. Sign in with it, then link the identity provider under Settings, Security. If you did not create this account or forgot its password, ask your administrator.',
    'oidc-already-linked':
      'Your account is linked to another identity there. Unlink that one first, under Settings, Security.',
    'oidc-identity-taken': 'This identity is linked to another account here.',
    'oidc-session-ended': 'You were signed out meanwhile. Sign in, and link it again.',
    'account-inactive': 'Your account is switched off. Ask your administrator.',
    'registration-closed': 'Registration is closed here. Ask your administrator for an account.',
  },
} as const;
