import type { mailboxes as english } from '../en/mailboxes';
import type { French } from './french';

export const mailboxes: French<typeof english> = {
  title: 'Boîtes aux lettres',
  none: 'Connectez votre première boîte aux lettres',
  noneText:
    'Mailroom la lit pour montrer ce qu’elle contient, et n’y modifie rien sans votre demande, ou celle d’une de vos règles ou planifications. Vous pouvez la déconnecter à tout moment.',
  connect: 'Connecter',
  connecting: 'Ouverture du fournisseur',
  add: 'Connecter une autre boîte aux lettres',
  providers: {
    sandbox: 'Boîte aux lettres d’essai',
    sandboxText:
      'Une boîte aux lettres inventée de quelques milliers de messages, pour tout essayer sans risque.',
    gmail: 'Gmail',
    gmailText: 'Google vous demande quels droits Mailroom obtient. Vous revenez ensuite ici.',
    microsoft: 'Outlook, Hotmail, Microsoft 365',
    microsoftText: 'Microsoft vous demande si Mailroom peut lire et modifier la boîte aux lettres.',
    google: 'Gmail par IMAP',
    googleText:
      'Google vous demande quels droits Mailroom obtient. Plus lent que l’autre voie, et limité chaque jour.',
    yahoo: 'Yahoo Mail',
    yahooText: 'Yahoo vous demande quels droits Mailroom obtient. Vous revenez ensuite ici.',
    other: '{{name}}',
    otherText: 'Le fournisseur vous demande quels droits Mailroom obtient. Vous revenez ensuite ici.',
  },
  archive: {
    card: 'Commencer avec des fichiers',
    cardText:
      'Une archive sans boîte aux lettres, pour le courrier que vous avez en fichiers : un export de Google ou d’Outlook, mbox, EML, le dossier d’un logiciel de messagerie.',
    create: 'Créer une archive',
    name: 'Nom de l’archive',
    badge: 'Archive',
    open: 'Ouvrir',
    import: 'Importer',
    rename: 'Renommer',
    renameTitle: 'Renommer {{name}}',
    save: 'Enregistrer',
    delete: 'Supprimer',
    deleteTitle: 'Supprimer {{name}} et tout son courrier ?',
    deleteText:
      'Tout son courrier est supprimé définitivement. Il n’existe nulle part ailleurs, sauf si vous avez les fichiers ou une sauvegarde.',
    deleteTyped: 'Tapez le nom de l’archive pour continuer',
  },
  code: {
    label: 'Code',
    use: 'Utiliser plutôt un code',
    enter: 'Saisissez ce code sur la page ci-dessous, sur n’importe quel appareil, avant {{until}}.',
    waiting: 'En attente de votre réponse chez Microsoft',
  },
  noProviders:
    'Aucun fournisseur de messagerie n’est configuré sur cette installation. Un administrateur peut enregistrer un client auprès de l’un d’eux.',
  connected: '{{email}} est connectée.',
  keep: {
    title: 'Tout en conserver ?',
    text: 'Chaque message est copié dans votre archive dès son arrivée, et sa copie est vérifiée régulièrement. Ce qui est supprimé plus tard dans la boîte aux lettres reste dans l’archive. La boîte aux lettres elle-même ne change pas, et vous pouvez arrêter à tout moment.',
    yes: 'Tout conserver',
    later: 'Pas maintenant, montrer la boîte aux lettres',
    look: 'Montrer la boîte aux lettres',
  },
  lastSynced: 'Dernière consultation : {{time}}',
  switchOn: 'Activer',
  switchOff: 'Désactiver',
  disconnect: 'Déconnecter',
  disconnectTitle: 'Déconnecter {{email}} ?',
  disconnectText: 'L’accès à la boîte aux lettres est supprimé. Son archive reste lisible ici.',
  openOverview: 'Ouvrir',
  reconnect: 'Reconnecter',
  imap: {
    card: 'N’importe quelle boîte (IMAP)',
    cardText:
      'Avec l’adresse et un mot de passe. Mailroom cherche le serveur et l’essaie avant de conserver quoi que ce soit.',
    title: 'Connecter une boîte aux lettres par IMAP',
    email: 'Adresse de la boîte aux lettres',
    emailHelp: 'Le mot de passe vient ensuite, quand vous savez à quel serveur il est envoyé.',
    find: 'Chercher le serveur',
    finding: 'Recherche du serveur ; cela prend quelques secondes.',
    nothingFound:
      'Aucun serveur n’a été trouvé pour {{email}}. Votre fournisseur l’indique dans son aide pour les logiciels de messagerie.',
    sources: {
      provider: 'Voici le serveur des boîtes comme {{email}} : {{host}}.',
      'mail-exchange': 'Le courrier de ce domaine est confié à un fournisseur dont le serveur est {{host}}.',
      autoconfig: 'Le domaine lui-même indique ce serveur : {{host}}.',
      database: 'Un répertoire public indique ce serveur : {{host}}.',
      dns: 'Le domaine lui-même indique ce serveur : {{host}}.',
      guess:
        'Il existe un serveur portant le nom habituel : {{host}}. Vérifiez auprès de votre fournisseur que c’est le bon.',
    },
    takeOther: 'Utiliser plutôt {{host}}:{{port}}',
    hints: {
      'app-password':
        '{{provider}} demande ici un mot de passe d’application : créez-en un dans les réglages de sécurité de votre compte chez ce fournisseur. Votre mot de passe habituel est refusé.',
      'switch-on-imap':
        '{{provider}} ne laisse entrer les logiciels que si IMAP est activé dans les réglages de la boîte aux lettres.',
      bridge:
        '{{provider}} a besoin de son programme Bridge sur l’ordinateur où fonctionne Mailroom. Le nom d’utilisateur et le mot de passe sont ceux que Bridge affiche.',
      'oauth-only':
        '{{provider}} n’accepte pas de mot de passe par IMAP, seulement une connexion que l’administrateur de Mailroom doit d’abord configurer.',
      'connect-with-google':
        'Si cette page le propose, se connecter avec Google est plus rapide et permet à Mailroom d’en faire plus à la fois. Par IMAP, {{provider}} demande un mot de passe d’application : créez-en un dans les paramètres de sécurité de votre compte Google (la validation en deux étapes est nécessaire). Ne limitez pas le nombre de messages des dossiers IMAP.',
    },
    consentHint:
      '{{provider}} n’accepte pas de mot de passe des logiciels de messagerie. Connectez-vous plutôt chez lui.',
    otherAddress: 'Une autre adresse',
    host: 'Serveur',
    port: 'Port',
    security: 'Protection',
    securities: { tls: 'TLS', starttls: 'STARTTLS' },
    username: 'Nom d’utilisateur',
    password: 'Mot de passe',
    passwordHelp: 'N’est envoyé qu’à ce serveur, toujours chiffré. Gardé chiffré, et jamais affiché.',
    test: 'Essayer',
    check: 'À vérifier.',
    refused: 'Mailroom n’a pas pu se connecter à la boîte aux lettres',
    serverSays: 'Le serveur dit : « {{text}} »',
    certificate:
      'Il présente un certificat de {{subject}}, émis par {{issuer}}, valable jusqu’au {{until}}. Son empreinte SHA-256 :',
    compare:
      'Demandez à la personne qui administre le serveur si c’est bien son empreinte. Sinon, quelqu’un se trouve entre vous et le serveur.',
    trust: 'C’est la même : accepter ce certificat',
    entered_one: 'Connexion réussie. La boîte aux lettres contient {{count}} dossier.',
    entered_many: 'Connexion réussie. La boîte aux lettres contient {{count}} dossiers.',
    entered_other: 'Connexion réussie. La boîte aux lettres contient {{count}} dossiers.',
    foldersFixed:
      'Les libellés de Gmail sont repris tels quels, et chaque message est lu une seule fois, dans « Tous les messages », dans le spam ou dans la corbeille.',
    foldersText:
      'Voici à quoi servent ses dossiers. Corrigez ce qui est faux ; laissez vide quand ce dossier n’existe pas.',
    server: 'Serveur et dossiers',
    capabilities: 'Le serveur propose : {{list}}',
    saveRoles: 'Enregistrer les dossiers',
    rolesSaved: 'Enregistré. La boîte aux lettres est en cours de relecture.',
    roles: {
      archive: 'Archives',
      sent: 'Envoyés',
      drafts: 'Brouillons',
      junk: 'Indésirables',
      trash: 'Corbeille',
    },
    roleByName: 'Choisi d’après son nom seulement. Enregistrez les dossiers pour le confirmer.',
    unreadFolders: 'Non lus, ou pas en entier : {{folders}}',
    views: 'Ces dossiers montrent des messages d’autres dossiers. Rien n’y est modifié : {{folders}}',
    trash:
      'Le serveur décide quand il vide sa corbeille ; certains le font au bout de 7 jours. Ce qui y a été mis ne peut être repris que jusque-là.',
    trashOnExpunge:
      'Ce serveur met à la corbeille ce qui est retiré d’un dossier. Un message déplacé laisse une copie de plus dans la corbeille ; ce qui est supprimé définitivement en est retiré aussi.',
    noFolder: 'Aucun',
    clearRole: 'Aucun dossier pour : {{role}}',
    inexactSizes:
      'Le serveur ne donne qu’une estimation de la taille des messages. Rien n’est perdu pour autant.',
    connect: 'Connecter la boîte aux lettres',
    back: 'Modifier le serveur',
    again: 'Reconnecter {{email}}',
    wrong: {
      'imap-host-unknown': 'Aucun serveur ne porte ce nom.',
      'imap-host-refused':
        'Mailroom ne se connecte pas à cette adresse. Un administrateur peut autoriser les réseaux privés.',
      'imap-host-unreachable': 'Le serveur ne répond pas.',
      'imap-port-closed': 'Le serveur refuse les connexions sur ce port.',
      'imap-not-imap': 'Le serveur sur ce port ne parle pas IMAP.',
      'imap-tls-failed':
        'Aucune connexion chiffrée n’est possible de cette façon. Essayez l’autre protection ou l’autre port.',
      'imap-certificate-untrusted': 'Le certificat du serveur ne peut pas être vérifié.',
      'imap-certificate-changed': 'Le serveur présente un autre certificat que celui que vous avez accepté.',
      'imap-starttls-missing': 'Le serveur ne propose aucun chiffrement sur ce port.',
      'imap-starttls-unsafe': 'La connexion a été manipulée. Votre mot de passe n’a pas été envoyé.',
      'imap-login-failed': 'Le serveur refuse le nom d’utilisateur ou le mot de passe.',
      'imap-login-expired': 'Le mot de passe a expiré.',
      'imap-login-not-allowed': 'Le serveur ne laisse pas entrer cet utilisateur par IMAP.',
      'imap-password-not-taken': 'Le serveur n’accepte pas de mot de passe.',
      'imap-token-refused':
        'Le serveur n’accepte pas l’accès que vous avez accordé. Vérifiez qu’IMAP est activé pour la boîte aux lettres.',
      'imap-token-not-taken': 'Le serveur n’accepte pas ce type de connexion.',
      'imap-too-many-connections':
        'Le serveur n’accepte plus de connexions pour le moment. Fermez d’autres logiciels de messagerie, ou réessayez plus tard.',
      'imap-rate-limited': 'Le serveur demande une pause. Réessayez plus tard.',
      'imap-unavailable': 'Le serveur n’est pas disponible pour le moment. Réessayez plus tard.',
      'imap-connection-lost': 'Le serveur a fermé la connexion.',
      'imap-use-google':
        'Gmail masque le dossier « Tous les messages » en IMAP. Cochez « Afficher dans IMAP » pour ce libellé dans les paramètres de Gmail, ou connectez-vous avec Google.',
      'imap-oauth-only': 'Ce fournisseur n’accepte pas de mot de passe par IMAP.',
    },
  },
  failed: {
    title: 'La boîte aux lettres n’a pas été connectée',
    'consent-denied': 'Vous avez refusé chez le fournisseur. Rien n’a été connecté.',
    'consent-failed': 'Le fournisseur n’a pas terminé la connexion. Réessayez.',
    'consent-expired': 'Le code n’a pas été saisi à temps. Demandez-en un autre.',
    'imap-token-refused':
      'Le serveur n’accepte pas l’accès que vous avez accordé. Vérifiez qu’IMAP est activé pour la boîte aux lettres.',
    'state-invalid': 'La connexion chez le fournisseur a pris trop de temps. Réessayez.',
    'session-mismatch':
      'La connexion chez le fournisseur a été commencée dans un autre navigateur. Réessayez ici.',
    'session-ended':
      'Votre session a pris fin pendant que vous étiez chez le fournisseur. Connectez-vous, puis réessayez.',
    'another-mailbox':
      'Vous vous êtes connecté à une autre boîte que celle à reconnecter. Rien n’a été modifié.',
    'mailbox-account-limit':
      'Vous ne pouvez pas connecter d’autre boîte aux lettres. Déconnectez-en une d’abord.',
    'mailbox-purging':
      'L’archive de cette boîte aux lettres est justement en cours de suppression. Réessayez quand ce sera fini.',
    'mailbox-connected-otherwise':
      'Cette boîte aux lettres est déjà connectée d’une autre façon. Déconnectez-la d’abord.',
    other: 'Le fournisseur n’a pas laissé entrer Mailroom (code {{code}}). Réessayez.',
  },
};
