import type { jobFailures as english } from '../en/jobFailures';
import type { French } from './french';

export const jobFailures: French<typeof english> = {
  'address-refused':
    'Les connexions à cette adresse ne sont pas permises ici. Un administrateur peut les autoriser.',
  'archive-busy': 'Le même message est sans cesse retiré de l’archive. Réessayez plus tard.',
  'archive-directory-empty': 'Le dossier de l’archive ne contient aucune archive. Son disque est-il monté ?',
  'archive-store-endless':
    'Le stockage de l’archive est trop lent, ou sa liste n’a pas de fin. Il peut contenir d’autres fichiers.',
  'archive-store-full': 'Il n’y a plus de place là où l’archive est conservée.',
  'archive-store-refused':
    'Le stockage de l’archive ne peut pas être utilisé. Le service dit : « {{detail}} »',
  'archive-store-unavailable':
    'Le stockage de l’archive n’est pas disponible. Le service dit : « {{detail}} »',
  'archive-store-unknown': 'Le stockage qui contient ce message n’est pas configuré.',
  'archive-store-unreadable': 'Le stockage de l’archive ne peut pas être lu pour le moment.',
  'archive-unreadable': 'Cette archive est illisible. Le service dit : « {{detail}} »',
  'archiving-off': 'L’archivage continu est désactivé pour cette boîte.',
  'encryption-not-configured': 'Aucune phrase secrète n’est définie pour l’archive.',
  'imap-connection-lost': 'Le serveur de messagerie a fermé la connexion.',
  'imap-folder-not-found': 'Le serveur de messagerie n’a pas ce dossier.',
  'imap-folder-refused': 'Le serveur de messagerie ne laisse pas cet utilisateur lire le dossier.',
  'imap-host-unreachable': 'Le serveur de messagerie est injoignable. Vérifiez son nom et le port.',
  'imap-login-failed':
    'Le serveur de messagerie refuse le nom d’utilisateur ou le mot de passe. Faut-il un mot de passe d’application ?',
  'imap-over-quota': 'La boîte aux lettres sur le serveur de messagerie est pleine.',
  'imap-protocol-error': 'Le serveur de messagerie a donné une réponse que l’IMAP n’admet pas.',
  'imap-throttled': 'La limite de transfert du serveur de messagerie est atteinte depuis plus d’un jour.',
  'imap-tls-failed': 'Aucune connexion chiffrée au serveur de messagerie n’est possible.',
  'imap-tls-required': 'Le serveur de messagerie n’accepte les mots de passe que par une connexion chiffrée.',
  'imap-too-slow': 'Le serveur de messagerie envoie moins de 16 ko par seconde : c’est trop lent.',
  'imap-unavailable': 'Le serveur de messagerie n’est pas disponible pour le moment.',
  'import-file-changed':
    'Le fichier a été modifié ou déplacé avant la fin de son importation. Ce qui a été importé est conservé. Importez-le de nouveau quand plus rien n’y écrit.',
  'import-file-unreadable':
    'Le service n’a pas le droit de lire le fichier. Un administrateur du serveur doit en changer les droits ; reprenez ensuite la tâche.',
  'import-too-many-files':
    'L’archive contient plus de fichiers qu’il n’en est lu à la fois. Importez-la en plusieurs parties.',
  'import-unpacks-too-large':
    'Une fois décompressé, le fichier est bien plus grand que du courrier ne peut l’être. L’importation a été arrêtée.',
  'insufficient-storage': 'Le serveur n’a pas assez de place pour le courrier en ce moment.',
  'internal-error': 'La tâche s’est arrêtée à cause d’une erreur inattendue du service.',
  'interrupted-by-restore':
    'La tâche était en cours quand a été faite la sauvegarde à partir de laquelle Mailroom a été rétabli. Relancez-la.',
  'job-process-lost':
    'La tâche a été abandonnée : trois fois, le processus qui l’exécutait, ou un service dont elle dépend, s’est arrêté avant que rien ne soit fait.',
  'mailbox-account-gone': 'La boîte a été retirée.',
  'mailbox-purging': 'L’archive de cette boîte est en cours de suppression.',
  'mailbox-unsettled':
    'La boîte n’a pas pu être comparée à ce qui en est connu : son historique a été perdu.',
  'no-mail-in-archive': 'L’archive ne contient aucun message qui puisse être importé.',
  'not-an-mbox-file': 'Ce fichier n’a pas pu être lu comme fichier mbox. Le service dit : « {{detail}} »',
  'offload-running':
    'Des messages de cette boîte sont en train d’être mis à la corbeille, car l’archive les contient. Annulez d’abord cette tâche, ou attendez.',
  'outcome-unknown':
    'Le fournisseur de messagerie a peut-être fait la modification, mais sa réponse s’est perdue.',
  'passphrase-forgotten':
    'La phrase secrète donnée pour ce chiffrement n’est plus disponible. Relancez le chiffrement.',
  'plan-gone': 'Le plan a été supprimé.',
  'provider-rejected': 'Le fournisseur de messagerie a refusé. Le service dit : « {{detail}} »',
  'quota-exceeded':
    'Votre espace de stockage ne peut plus recevoir de courrier. Supprimez des messages archivés, ou demandez plus de place à un administrateur.',
  'restore-done': 'La restauration est terminée.',
  'outlook-file-unreadable': 'Ce fichier Outlook est illisible. Le service dit : « {{detail}} »',
  'outlook-reader-missing':
    'Le serveur n’a pas l’outil qui lit les fichiers de données Outlook (PST, OST). Son administrateur doit installer python3 et libpff1 ; reprenez ensuite la tâche.',
  'restore-running': 'La restauration est déjà en cours.',
  'rule-gone': 'La règle a été supprimée avant la fin de son exécution.',
  'rule-label-gone': 'La règle nomme un libellé que la boîte n’a plus. Modifiez la règle.',
  'selection-expired': 'La sélection n’est plus conservée. Refaites-la.',
  'service-unavailable': 'Un service dont Mailroom a besoin ne répondait pas. Relancez la tâche.',
  'user-deactivated': 'La tâche a été arrêtée car l’utilisateur a été désactivé.',
  'user-files-remain':
    'Toutes les autres données de l’utilisateur sont supprimées, mais des fichiers restent. Le service dit : « {{detail}} »',
  'user-still-busy':
    'Des tâches de l’utilisateur sont encore en cours. La suppression reprend d’ici une heure.',
  'verification-too-slow':
    'Le stockage de l’archive est si lent que les copies ne peuvent pas être vérifiées à temps. Rien de plus n’a été déplacé.',
  items: {
    'file-unreadable': 'le service n’a pas le droit de le lire',
    'archive-checksum-wrong': 'sa somme de contrôle est fausse : il peut être endommagé en partie',
    'archive-compression-unsupported': 'sa méthode de compression n’est pas prise en charge',
    'archive-cut-off': 'l’archive se termine trop tôt',
    'archive-damaged': 'l’archive est endommagée à partir d’ici',
    'archive-directory-missing': 'son index, à la fin du fichier, manque ou est endommagé',
    'archive-member-damaged': 'il est endommagé dans l’archive',
    'archive-member-encrypted': 'il est chiffré dans l’archive',
    'archive-members-overlap': 'il partage ses octets avec un autre fichier de l’archive',
    'archive-nested-too-deep': 'il se trouve dans plus d’archives imbriquées qu’il n’en est ouvert',
    'archive-part-damaged': 'cette partie de l’archive est endommagée ; la lecture a repris après elle',
    'archived-file-altered': 'La copie archivée n’est plus telle qu’elle a été écrite.',
    'archived-file-missing': 'La copie archivée est introuvable.',
    'change-not-applied': 'Le fournisseur de messagerie a accepté la modification, mais ne l’a pas faite.',
    'changed-since': 'Le message a de nouveau été modifié depuis : il reste tel quel.',
    'compressed-file-cut-off': 'le fichier compressé se termine trop tôt',
    'compressed-file-damaged': 'le fichier compressé est endommagé à partir d’ici',
    'copy-damaged': 'La copie archivée est introuvable ou altérée.',
    'from-line-missing': 'aucune ligne « From » ne le précède',
    'imap-too-slow': 'le serveur en envoie moins de 16 ko par seconde',
    'import-format-unsupported': 'ce type de fichier n’est pas lu',
    'import-message-too-large': 'plus de 150 Mio',
    'label-not-found': 'Le libellé a été supprimé.',
    'mail-encrypted': 'Le message est chiffré, et aucune phrase secrète n’a été donnée.',
    'mail-held':
      'Le message est en train d’être retiré de la boîte : sa copie reste jusqu’à ce que ce soit terminé.',
    'mail-larger-than-mailbox': 'Le message est plus grand que ce que la boîte accepte.',
    'mail-refused': 'La boîte n’a pas accepté le message.',
    'mailbox-full': 'La boîte est pleine.',
    'message-cut-off': 'sa fin manque',
    'message-empty': 'il est vide',
    'message-not-found': 'La boîte n’a plus ce message.',
    'message-not-handed-out': 'le serveur ne parvient pas à le fournir',
    'message-unreadable': 'Le message est illisible.',
    'outlook-file-damaged': 'l’index du fichier Outlook est endommagé : des éléments peuvent manquer',
    'outlook-file-unreadable': 'le fichier Outlook est illisible à partir d’ici',
    'outlook-item-damaged': 'il est endommagé dans le fichier Outlook',
    'outlook-item-too-large': 'plus de 150 Mio',
    'outlook-item-unreadable': 'il ne peut pas être lu dans le fichier Outlook',
    'provider-rejected': 'Le fournisseur de messagerie l’a refusé.',
    'same-id-differs': 'Un autre message avec le même Message-ID s’y trouve.',
    'scan-failed': 'Le message n’a pas pu être examiné.',
    'unknown-before': 'On ne sait pas comment était ce message auparavant : il reste tel quel.',
  },
  atByte: 'message à l’octet {{at}}',
};
