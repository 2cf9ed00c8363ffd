import type { imapImport as english } from '../en/imapImport';
import type { French } from './french';

export const imapImport: French<typeof english> = {
  title: 'Depuis un autre serveur de messagerie',
  text: 'Copie un dossier par IMAP dans l’archive de {{email}}. Rien ne change sur ce serveur.',
  host: 'Serveur',
  hostPlaceholder: 'imap.example.org',
  port: 'Port',
  secure: 'Connexion chiffrée (TLS)',
  insecure:
    'Sans elle, le certificat du serveur n’est pas vérifié, et le mot de passe et les messages peuvent traverser le réseau en clair.',
  user: 'Nom d’utilisateur',
  pass: 'Mot de passe',
  passHelp:
    'Gardé chiffré jusqu’à la fin de l’importation, et jamais affiché. Beaucoup de fournisseurs demandent ici un mot de passe d’application.',
  folder: 'Dossier',
  folderHelp: 'Avec / entre les niveaux, par exemple Archive/2024.',
  most: 'Seulement les messages les plus récents',
  mostHelp: 'Combien ; vide pour tous.',
  submit: 'Importer le dossier',
  start: 'Lancer l’importation',
  running: 'L’importation a commencé. Vous pouvez quitter cette page.',
  failed: 'L’importation s’est arrêtée.',
  wrong: {
    'imap-host-unreachable': 'Le serveur {{host}} est injoignable sur le port {{port}}. {{detail}}',
    'imap-tls-failed': 'Aucune connexion chiffrée à {{host}} n’est possible sur le port {{port}}. {{detail}}',
    'imap-tls-required': '{{host}} n’accepte les mots de passe que par une connexion chiffrée. Activez-la.',
    'imap-login-failed':
      '{{host}} refuse le nom d’utilisateur ou le mot de passe. Faut-il un mot de passe d’application ?',
    'imap-folder-not-found': '{{host}} n’a pas de dossier {{folder}}.',
    'imap-folder-refused': '{{user}} ne peut pas lire le dossier {{folder}}.',
  },
};
