import type { settings as english } from '../en/settings';
import type { French } from './french';

export const settings: French<typeof english> = {
  save: 'Enregistrer',
  saved: 'C’est enregistré.',
  copy: 'Copier',
  copied: 'Copié',
  profile: {
    title: 'Profil',
    name: 'Nom',
    nameHelp: 'Le nom sous lequel vous êtes connu ici. Il peut rester vide.',
    account: 'Compte',
    email: 'Adresse e-mail',
    role: 'Rôle',
    roles: { user: 'Utilisateur', admin: 'Administrateur' },
    since: 'Inscrit depuis le',
    mailboxes: 'Boîtes aux lettres connectées',
    storage: 'Archive',
    used: '{{used}} sur {{most}}',
  },
};
