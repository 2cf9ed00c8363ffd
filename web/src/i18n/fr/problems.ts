import type { problems as english } from '../en/problems';
import type { French } from './french';

/** Ce qui a échoué, par code du service. Un code sans texte ici montre ce que dit le service. */
export const problems: French<typeof english> = {
  title: 'Cela n’a pas fonctionné',
  details: 'Détails',
  code: 'Code {{code}}',
  requestId: 'Requête {{id}}',
  retryIn: 'Nouvel essai dans {{time}}.',
  reconnect: 'Reconnecter la boîte aux lettres',
  codes: {
    offline: 'Le service est injoignable. Vérifiez votre connexion ; ce qui est chargé reste affiché.',
    unexpected:
      'Cette page a commis une erreur. Rechargez-la, et prévenez votre administrateur si cela se reproduit.',
    'file-unreadable':
      'Le fichier n’est plus lisible. Il a peut-être été déplacé, modifié ou supprimé : annulez, puis choisissez-le de nouveau.',
    unauthorized: 'Votre session est terminée. Reconnectez-vous.',
    'invalid-refresh-token': 'Votre session est terminée. Reconnectez-vous.',
    'invalid-credentials': 'L’adresse e-mail ou le mot de passe est incorrect.',
    'totp-required': 'Saisissez le code de votre application d’authentification.',
    'passkey-refused': 'Cette clé d’accès n’ouvre aucun compte ici. Connectez-vous avec votre mot de passe.',
    'passkey-invalid': 'La clé d’accès n’a pas pu être vérifiée. Réessayez.',
    'passkey-limit': 'Vous avez 20 clés d’accès. Supprimez-en une d’abord.',
    'password-invalid': 'Ce n’est pas votre mot de passe.',
    'totp-invalid': 'Ce code est incorrect ou a déjà servi. Attendez le suivant.',
    'registration-closed': 'Les inscriptions sont fermées ici. Demandez un compte à votre administrateur.',
    'email-taken': 'Un compte avec cette adresse e-mail existe déjà. Connectez-vous plutôt.',
    'invitation-invalid':
      'Cette invitation n’est pas valable, ou ne l’est plus. Demandez-en une nouvelle à votre administrateur.',
    'password-reset-invalid':
      'Ce lien n’est pas valable, ou ne l’est plus. Demandez-en un nouveau à votre administrateur.',
    'user-has-signed-in':
      'Cet utilisateur a déjà un moyen de se connecter, ou n’a pas le droit de se connecter.',
    'foreign-origin':
      'Cette page a été ouverte à une autre adresse que celle que le service attend. Ouvrez-la à l’adresse de l’installation.',
    'too-many-requests': 'Trop de requêtes. Patientez un instant.',
    'account-not-owned': 'Cette boîte aux lettres n’est plus la vôtre.',
    'admin-required': 'Seuls les administrateurs peuvent voir cela.',
    'message-not-found': 'Ce message n’est plus là.',
    'copies-under-review':
      'Les copies de cette boîte aux lettres sont en cours de vérification. Elle est comparée à son archive ensuite.',
    'message-incomplete':
      'Le serveur de messagerie affiche ce message dans sa liste, mais ne le fournit pas en entier.',
    'message-mismatch': 'Le serveur de messagerie fournit un autre message à la place de celui-ci.',
    'message-too-large': 'Ce message dépasse 256 Mio, ce qui est plus que ce qui peut être lu.',
    'mail-not-found': 'Ce message n’est plus dans l’archive.',
    'count-mismatch':
      'Le nombre de messages a changé entre-temps. Rien n’a été supprimé. Vérifiez le nombre, et confirmez-le de nouveau.',
    'too-many-mails':
      'C’est trop de messages pour une seule requête. Précisez la recherche, par exemple par des dates.',
    'thread-not-found': 'Cette conversation n’est plus dans l’archive.',
    'mail-not-rendered':
      'Ce message n’a pas pu être préparé pour la lecture. Il peut être téléchargé tel quel.',
    'query-too-expensive':
      'Cette recherche prend trop de temps au service. Utilisez des mots plus nombreux ou plus longs.',
    'mails-encrypted': 'Ce message est chiffré. Saisissez la phrase secrète de l’archive.',
    'passphrase-invalid': 'Ce n’est pas la phrase secrète de l’archive.',
    'upload-not-found':
      'Le service n’a plus le début de ce fichier. Au prochain essai, il est renvoyé depuis le début.',
    'upload-busy': 'Un autre onglet ou programme envoie ce fichier.',
    'upload-too-large': 'Ce fichier dépasse la taille que cette installation accepte.',
    'too-many-uploads': 'D’autres fichiers attendent leur importation. Celui-ci suit.',
    'quota-exceeded':
      'Votre espace de stockage n’a plus de place pour ce fichier. Supprimez des messages archivés, ou demandez plus de place à un administrateur.',
    'insufficient-storage':
      'Le serveur n’a pas de place pour ce fichier en ce moment. Prévenez votre administrateur.',
    'import-file-missing': 'Le fichier envoyé a disparu. Envoyez-le de nouveau.',
    'export-not-found': 'Ce téléchargement a expiré. Préparez-le de nouveau.',
    'label-not-found': 'Ce libellé n’existe plus.',
    'label-exists': 'Un libellé de ce nom existe déjà.',
    'job-not-found': 'Cette tâche n’existe plus.',
    'job-finished': 'La tâche était déjà terminée.',
    'job-not-finished': 'La tâche n’est pas encore terminée. Annulez-la d’abord, ou attendez.',
    'job-not-resumable': 'Cette tâche ne peut pas être reprise. Relancez-la : elle saute ce qui est fait.',
    'job-not-retryable':
      'Ce qui a échoué ne peut pas être réessayé seul. Relancez la tâche : elle saute ce qui est fait.',
    'too-many-jobs':
      'Trop de vos tâches sont en attente ou en cours. Attendez que certaines se terminent, ou annulez-en.',
    'not-undoable': 'Cela ne peut pas être défait.',
    'nothing-changed': 'Rien n’a été modifié : il n’y a donc rien à défaire.',
    'undo-expired': 'C’est terminé depuis trop longtemps pour être défait.',
    'already-undone': 'C’est déjà défait, ou en train de l’être.',
    'selection-too-large':
      'Plus de 50 000 messages correspondent. Précisez la recherche, par exemple avec older_than:1y.',
    'search-term-unsupported':
      '« {{term}} » ne peut pas être recherché. Écrivez 14d, 5M ou 2025/01/31, et les libellés par leur nom.',
    'mailbox-reauth-required':
      'Le fournisseur de messagerie demande que vous reconnectiez cette boîte aux lettres.',
    'mailbox-disconnected': 'Cette boîte aux lettres est désactivée. Son archive reste lisible.',
    'archive-without-mailbox':
      'Cette archive n’a pas de boîte aux lettres. Le courrier n’y entre que par des importations.',
    'archive-exists': 'Vous avez déjà une archive de ce nom.',
    'archive-limit': 'Vous ne pouvez pas créer d’autre archive. Supprimez-en une d’abord.',
    'mailbox-account-limit':
      'Vous ne pouvez pas connecter d’autre boîte aux lettres. Déconnectez-en une d’abord, ou demandez-en plus à un administrateur.',
    'provider-not-configured':
      'Aucun client n’est encore enregistré auprès de ce fournisseur de messagerie. Un administrateur peut en configurer un.',
    'provider-rate-limited':
      'Le fournisseur de messagerie ne peut plus être interrogé en ce moment : sa limite est atteinte, ou le rythme que Mailroom s’impose.',
    'provider-unavailable': 'Le fournisseur de messagerie ne répond pas en ce moment.',
    'service-unavailable': 'Une partie du service est indisponible en ce moment.',
    'internal-error':
      'Une erreur s’est produite dans le service. Réessayez. Si cela se reproduit, transmettez à votre administrateur ce que disent les détails.',
    'validation-failed': 'Certains champs sont incorrects.',
  },
  reasons: {
    'password-common': 'C’est un mot de passe que tout le monde essaie en premier. Choisissez-en un autre.',
    'password-address':
      'C’est votre adresse e-mail, ou une partie de celle-ci. Choisissez un autre mot de passe.',
    'password-product': 'C’est le nom de ce service. Choisissez un autre mot de passe.',
  },
};
