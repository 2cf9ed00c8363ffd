import type { savedSearches as english } from '../en/savedSearches';
import type { French } from './french';

export const savedSearches: French<typeof english> = {
  button: 'Recherches enregistrées',
  none: 'Aucune recherche n’est encore enregistrée.',
  save: 'Enregistrer cette recherche',
  manage: 'Modifier les recherches enregistrées',
  name: 'Nom',
  search: 'Recherche',
  icon: 'Symbole',
  icons: {
    none: 'Aucun',
    folder: 'Dossier',
    star: 'Étoile',
    mail: 'Lettre',
    attachment: 'Pièce jointe',
    invoice: 'Facture',
    alert: 'Alerte',
    archive: 'Archive',
    calendar: 'Calendrier',
    work: 'Porte-documents',
    shopping: 'Achats',
  },
  confirm: 'Enregistrer',
  rename: 'Modifier',
  up: 'Monter',
  down: 'Descendre',
  delete: 'Supprimer',
};
