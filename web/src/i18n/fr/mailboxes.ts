import type { mailboxes as english } from '../en/mailboxes';
import type { French } from './french';

export const mailboxes: French<typeof english> = {
  title: 'Boîtes aux lettres',
  none: 'Connectez votre première boîte aux lettres',
  noneText:
    'Mailroom ne lit et ne modifie une boîte aux lettres que lorsque vous le demandez. Vous pouvez la déconnecter à tout moment.',
  connect: 'Connecter',
  connecting: 'Ouverture du fournisseur',
  add: 'Connecter une autre boîte aux lettres',
  providers: {
    sandbox: 'Boîte aux lettres d’essai',
    sandboxText:
      'Une boîte aux lettres inventée de quelques milliers de messages, pour tout essayer sans risque.',
    gmail: 'Gmail',
    gmailText: 'Google vous demande quels droits Mailroom obtient. Vous revenez ensuite ici.',
    other: '{{name}}',
    otherText: 'Le fournisseur vous demande quels droits Mailroom obtient. Vous revenez ensuite ici.',
  },
  noProviders:
    'Aucun fournisseur de messagerie n’est configuré sur cette installation. Un administrateur peut enregistrer un client auprès de l’un d’eux.',
  connected: '{{email}} est connectée.',
  lastSynced: 'Dernière consultation : {{time}}',
  switchOn: 'Activer',
  switchOff: 'Désactiver',
  disconnect: 'Déconnecter',
  disconnectTitle: 'Déconnecter {{email}} ?',
  disconnectText: 'L’accès à la boîte aux lettres est supprimé. Son archive reste lisible ici.',
  openOverview: 'Ouvrir',
  reconnect: 'Reconnecter',
  failed: {
    title: 'La boîte aux lettres n’a pas été connectée',
    'consent-denied': 'Vous avez refusé chez le fournisseur. Rien n’a été connecté.',
    'consent-failed': 'Le fournisseur n’a pas terminé la connexion. Réessayez.',
    'state-invalid': 'La connexion chez le fournisseur a pris trop de temps. Réessayez.',
    'session-mismatch':
      'La connexion chez le fournisseur a été commencée dans un autre navigateur. Réessayez ici.',
    'session-ended':
      'Votre session a pris fin pendant que vous étiez chez le fournisseur. Connectez-vous, puis réessayez.',
    'mailbox-account-limit':
      'Vous ne pouvez pas connecter d’autre boîte aux lettres. Déconnectez-en une d’abord.',
    'mailbox-purging':
      'L’archive de cette boîte aux lettres est justement en cours de suppression. Réessayez quand ce sera fini.',
    other: 'Le fournisseur n’a pas laissé entrer Mailroom (code {{code}}). Réessayez.',
  },
};
