import type { common as english } from '../en/common';
import type { French } from './french';

export const common: French<typeof english> = {
  appName: 'Mailroom',
  cancel: 'Annuler',
  close: 'Fermer',
  retry: 'Réessayer',
  loading: 'Chargement',
  menu: 'Menu',
  offline: 'Vous êtes hors connexion. Dernière mise à jour de ce que vous voyez : {{time}}.',
  offlineNothing: 'Vous êtes hors connexion.',
  newVersion: 'Mailroom a été mis à jour.',
  reload: 'Recharger la page',
  showPassword: 'Afficher la saisie',
  skipToContent: 'Aller au contenu',
  pages: 'Pages',
  page: 'Page {{number}}',
  nextPage: 'Page suivante',
  previousPage: 'Page précédente',
  notFound: 'Il n’y a rien à cette adresse.',
  notFoundBack: 'Aller à la page d’accueil',
  seconds_one: '{{count, number}} seconde',
  seconds_many: '{{count, number}} de secondes',
  seconds_other: '{{count, number}} secondes',
  language: 'Langue',
  languages: { en: 'English', fr: 'Français' },
  theme: { label: 'Apparence', light: 'Clair', dark: 'Sombre', auto: 'Comme le système' },
};
