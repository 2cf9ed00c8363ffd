import type { notifications as english } from '../en/notifications';
import type { French } from './french';

export const notifications: French<typeof english> = {
  title: 'Notifications',
  which: 'Quelles notifications',
  all: 'Toutes',
  unread: 'Non lues',
  none: 'Il n’y a aucune notification.',
  noneUnread: 'Vous les avez toutes lues.',
  readAll: 'Tout marquer comme lu',
  deleteRead: 'Supprimer les notifications lues',
  read: 'Marquer comme lue',
  delete: 'Supprimer',
  newer: 'Plus récentes',
  older: 'Plus anciennes',
  preferences: 'Ce qui doit m’être notifié',
  event: 'Événement',
  inList: 'Dans cette liste',
  atOnce: 'Immédiatement',
  kinds: {
    job_completed: 'Une tâche est terminée',
    job_failed: 'Une tâche a échoué',
    rule_executed: 'Une règle s’est exécutée d’elle-même',
    quota_warning: 'L’espace de stockage est presque plein',
    integrity_alert: 'Des messages archivés sont endommagés, ou l’archivage s’est arrêté',
    weekly_report: 'La semaine en chiffres',
  },
};
