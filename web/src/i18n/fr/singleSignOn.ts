import type { singleSignOn as english } from '../en/singleSignOn';
import type { French } from './french';

export const singleSignOn: French<typeof english> = {
  linked: '{{name}} est lié : vous pouvez désormais vous connecter par ce service.',
  failed: {
    title: 'L’authentification unique n’a pas fonctionné',
    other: 'Le service indique {{code}}.',
    'oidc-denied': 'Le fournisseur d’identité ne vous a pas laissé passer, ou vous y avez refusé.',
    'oidc-failed':
      'Le fournisseur d’identité signale une erreur. Réessayez, ou prévenez votre administrateur.',
    'oidc-unavailable': 'Le fournisseur d’identité ne répond pas. Réessayez dans un instant.',
    'oidc-state-invalid': 'C’était trop long, ou commencé deux fois. Réessayez.',
    'oidc-browser-mismatch':
      'Vous avez commencé dans un autre navigateur. Commencez et terminez dans le même.',
    'oidc-token-invalid':
      'La réponse du fournisseur d’identité n’est pas digne de confiance. Prévenez votre administrateur.',
    'oidc-email-unverified': 'Le fournisseur d’identité n’a pas vérifié votre adresse e-mail.',
    'oidc-link-needs-totp':
      'Un compte avec votre adresse demande un code. Connectez-vous avec son mot de passe et un code, puis liez le fournisseur d’identité dans Paramètres, Sécurité.',
    'oidc-link-needs-password':
      'Un compte avec votre adresse a un mot de passe. Connectez-vous avec celui-ci, puis liez le fournisseur d’identité dans Paramètres, Sécurité. Si vous n’avez pas créé ce compte, ou si vous avez oublié son mot de passe, adressez-vous à votre administrateur.',
    'oidc-already-linked':
      'Votre compte y est lié à une autre identité. Déliez d’abord celle-ci, dans Paramètres, Sécurité.',
    'oidc-identity-taken': 'Cette identité est liée à un autre compte ici.',
    'oidc-session-ended': 'Vous avez été déconnecté entre-temps. Connectez-vous, puis liez à nouveau.',
    'account-inactive': 'Votre compte est désactivé. Adressez-vous à votre administrateur.',
    'registration-closed': 'Les inscriptions sont fermées ici. Demandez un compte à votre administrateur.',
  },
};
