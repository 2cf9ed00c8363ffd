import type { home as english } from '../en/home';
import type { French } from './french';

export const home: French<typeof english> = {
  safety: {
    title: 'Votre courrier est-il en sécurité ?',
    thisWeek: 'cette semaine',
    lastDays_one: 'au cours du dernier jour',
    lastDays_many: 'au cours des {{count, number}} de derniers jours',
    lastDays_other: 'au cours des {{count, number}} derniers jours',
    kept: {
      all_one: '{{kept, number}} message sur {{count, number}} est dans l’archive, vérifié {{when}}.',
      all_many: '{{kept, number}} messages sur {{count, number}} sont dans l’archive, vérifiés {{when}}.',
      all_other: '{{kept, number}} messages sur {{count, number}} sont dans l’archive, vérifiés {{when}}.',
      some_one:
        '{{kept, number}} message sur {{count, number}} est dans l’archive ; {{proved, number}} vérifié {{when}}.',
      some_many:
        '{{kept, number}} messages sur {{count, number}} sont dans l’archive, dont {{proved, number}} vérifiés {{when}}.',
      some_other:
        '{{kept, number}} messages sur {{count, number}} sont dans l’archive, dont {{proved, number}} vérifiés {{when}}.',
      none_one: '{{kept, number}} message sur {{count, number}} est dans l’archive.',
      none_many: '{{kept, number}} messages sur {{count, number}} sont dans l’archive.',
      none_other: '{{kept, number}} messages sur {{count, number}} sont dans l’archive.',
    },
    copies: {
      all_one: '{{count, number}} message est dans l’archive, vérifié {{when}}.',
      all_many: '{{count, number}} de messages sont dans l’archive, tous vérifiés {{when}}.',
      all_other: '{{count, number}} messages sont dans l’archive, tous vérifiés {{when}}.',
      some_one: '{{count, number}} message est dans l’archive.',
      some_many:
        '{{count, number}} de messages sont dans l’archive, dont {{proved, number}} vérifiés {{when}}.',
      some_other:
        '{{count, number}} messages sont dans l’archive, dont {{proved, number}} vérifiés {{when}}.',
      none_one: '{{count, number}} message est dans l’archive.',
      none_many: '{{count, number}} de messages sont dans l’archive.',
      none_other: '{{count, number}} messages sont dans l’archive.',
    },
    filling_one:
      'Votre courrier est en cours de copie : {{kept, number}} message sur {{count, number}} pour l’instant.',
    filling_many:
      'Votre courrier est en cours de copie : {{kept, number}} messages sur {{count, number}} pour l’instant.',
    filling_other:
      'Votre courrier est en cours de copie : {{kept, number}} messages sur {{count, number}} pour l’instant.',
    reading: 'Votre boîte aux lettres est lue pour la première fois.',
    onlyThere: 'Votre courrier n’est que dans la boîte aux lettres : ce qui y est perdu est perdu.',
    empty: 'L’archive est encore vide.',
    emptyMailbox: 'Il n’y a encore aucun message à conserver.',
    off: 'Les nouveaux messages ne sont pas copiés d’eux-mêmes.',
    watched: 'Rien n’est copié de soi-même.',
    parts: {
      pending_one: '{{count, number}} attend d’être copié',
      pending_many: '{{count, number}} attendent d’être copiés',
      pending_other: '{{count, number}} attendent d’être copiés',
      missing_one: '{{count, number}} n’est pas dans l’archive',
      missing_many: '{{count, number}} ne sont pas dans l’archive',
      missing_other: '{{count, number}} ne sont pas dans l’archive',
      failed_one: '{{count, number}} n’a pas pu être copié',
      failed_many: '{{count, number}} n’ont pas pu être copiés',
      failed_other: '{{count, number}} n’ont pas pu être copiés',
      excluded_one: '{{count, number}} autre est exclu par vos réglages',
      excluded_many: '{{count, number}} autres sont exclus par vos réglages',
      excluded_other: '{{count, number}} autres sont exclus par vos réglages',
    },
    damaged_one: '{{count, number}} copie est endommagée',
    damaged_many: '{{count, number}} de copies sont endommagées',
    damaged_other: '{{count, number}} copies sont endommagées',
    troubles: {
      needs_reconnection:
        'Reconnectez la boîte aux lettres : d’ici là, les nouveaux messages ne sont pas copiés.',
      quota_full: 'Votre espace est plein : les nouveaux messages ne sont pas copiés.',
      behind: 'L’archivage est en retard : les nouveaux messages sont copiés plus tard que prévu.',
      paused: 'L’archivage est en pause : les nouveaux messages ne sont pas copiés.',
    },
  },
  inbox: 'Dans la boîte de réception',
  unread: 'Non lus dans la boîte de réception',
  archived: 'Dans l’archive',
  onlyInArchive: 'Seulement dans l’archive',
  firstWeek: {
    title: 'Votre première semaine',
    left_zero: 'Tout est fait',
    left_one: '{{count, number}} chose à faire',
    left_many: '{{count, number}} de choses à faire',
    left_other: '{{count, number}} choses à faire',
    hide: 'Masquer cette liste',
    done: 'Fait',
    open: 'À faire',
    mail: 'Connecter une boîte aux lettres ou importer du courrier',
    mailText:
      'Gmail, toute boîte aux lettres par IMAP, ou des fichiers : Takeout de Google, PST, mbox et autres.',
    keep: 'Tout conserver',
    keepText:
      'Chaque message est copié dans l’archive dès son arrivée, et sa copie est vérifiée régulièrement.',
    secondFactor: 'Protéger votre connexion',
    secondFactorText:
      'Une clé d’accès ou le code d’une application : un mot de passe volé n’ouvre alors rien.',
    backup: 'Faire des sauvegardes',
    backupText:
      'Lancez cette commande chaque nuit sur l’ordinateur du service, et copiez le dossier ailleurs :',
    backupDone: 'Les sauvegardes sont en place',
  },
  next: 'Et maintenant',
  steps: {
    clean: 'Faire le ménage dans les vieilles promotions',
    cleanText:
      'Sélectionnez ce que personne ne lit plus, et mettez-le à la corbeille ou retirez-le de la boîte de réception.',
    archive: 'Enregistrer ce qui compte',
    archiveText:
      'Gardez des messages et leurs fichiers pour de bon, et retrouvez-les, même si la boîte aux lettres est perdue.',
    read: 'Rattraper les messages non lus de la boîte de réception',
    readText: 'Lisez en sécurité : aucun traceur ne le signale, rien n’est chargé d’ailleurs.',
  },
  away: {
    title: 'En votre absence',
    since: 'Depuis votre dernière visite, {{time}}',
    nothing: 'Il ne s’est rien passé depuis votre dernière visite, {{time}}.',
    more_one: '{{count, number}} autre tâche',
    more_many: '{{count, number}} d’autres tâches',
    more_other: '{{count, number}} autres tâches',
  },
  mailboxes: {
    title: 'Vos boîtes aux lettres',
    lookedAt: 'dernière consultation : {{time}}',
    archiving: {
      off: 'Archivage continu désactivé',
      watch: 'Surveillée, sans copie',
      filling: 'Première copie en cours',
      healthy: 'Archivage à jour',
      needs_reconnection: 'Archivage en attente de la connexion',
      quota_full: 'Archivage arrêté, faute de place',
      behind: 'Archivage en retard',
      paused: 'Archivage en pause',
    },
  },
  empty: 'Cette boîte aux lettres ne contient aucun message.',
};
