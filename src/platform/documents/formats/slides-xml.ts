import type { DocumentFile } from '../document-file';
import { placeIn } from '../document-file';
import { damaged, type DocumentText } from '../document-text';
import { readXml } from '../read-xml';
import type { Unzip } from '../unzip';
import { readRelations, targetsOf } from './relations';
import { RunCollector } from './word-xml';

const PRESENTATION = 'ppt/presentation.xml';

/** Reads a presentation (PPTX, ECMA-376) slide by slide, each with its notes and comments. @throws DocumentUnread */
export async function readSlidesXml(file: DocumentFile, zip: Unzip, text: DocumentText): Promise<void> {
  const slides = await slidesOf(zip);
  if (slides.length === 0) throw damaged();
  for (const [index, path] of slides.entries()) {
    const relations = await readRelations(zip, path);
    const paths = [path, ...targetsOf(relations, /\/(?:notesSlide|comments)$/)];
    const texts: string[] = [];
    for (const part of paths) {
      const member = zip.find(part);
      if (!member) continue;
      const collector = new RunCollector(text.room);
      await readXml(zip.stream(member), collector);
      texts.push(collector.result());
    }
    text.add(placeIn(file, 'slide', String(index + 1)), texts.join('\n'));
  }
}

/** Paths of the slides in the order in which they are shown. */
async function slidesOf(zip: Unzip): Promise<string[]> {
  const presentation = zip.find(PRESENTATION);
  if (!presentation) return [];
  const ids: string[] = [];
  await readXml(zip.stream(presentation), {
    open(name, attributes) {
      if (name === 'p:sldId') ids.push(attributes['r:id'] ?? '');
    },
  });
  const relations = await readRelations(zip, PRESENTATION);
  return ids.flatMap((id) => relations.get(id)?.target ?? []);
}
