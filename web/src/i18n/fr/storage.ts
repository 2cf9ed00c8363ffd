import type { storage as english } from '../en/storage';
import type { French } from './french';

export const storage: French<typeof english> = {
  title: 'Stockage',
  intro:
    'L’endroit où le courrier nouvellement archivé est gardé. Celui qui est déjà archivé reste où il est, et se lit toujours.',
  place: 'Garder le nouveau courrier',
  places: { local: 'Sur le disque de ce service', objstore: 'Dans votre propre compartiment (S3)' },
  endpoint: 'Adresse du stockage d’objets',
  endpointPlaceholder: 'https://s3.example.org',
  region: 'Région',
  regionHelp: 'Vide : celle qui est habituelle pour ce stockage.',
  bucket: 'Compartiment',
  bucketHelp: 'Il est créé s’il n’existe pas. Vide : mailroom-archives.',
  accessKeyId: 'Clé d’accès',
  secretAccessKey: 'Clé secrète',
  secretHelp:
    'Gardée chiffrée, et jamais affichée. Tapez à nouveau les deux clés chaque fois que vous changez quelque chose ici.',
  pathStyle: 'Nom du compartiment dans le chemin',
  pathStyleHelp: 'Pour MinIO et la plupart des stockages d’objets que l’on exploite soi-même.',
  test: 'Tester',
  testing: 'Le service essaie d’écrire, de lire et de supprimer un fichier.',
  works: 'Le compartiment fonctionne : un fichier a été écrit, lu et supprimé.',
  fails: 'Le compartiment ne fonctionne pas. {{error}}',
  save: 'Enregistrer',
  saved: 'Enregistré. Le nouveau courrier y va désormais.',
};
