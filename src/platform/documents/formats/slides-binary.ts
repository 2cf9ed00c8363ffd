import type { Storage } from '../compound-file';
import { placeIn, type DocumentFile } from '../document-file';
import { damaged, type DocumentText, protectedByPassword } from '../document-text';

/** Types of records (MS-PPT 2.13.24). */
const RECORD = {
  document: 0x03e8, slidePersist: 0x03f3, slideList: 0x0ff0, textChars: 0x0fa0, textBytes: 0x0fa8, persistDirectory: 0x1772,
  notesFacts: 0x03f1,
} as const; // prettier-ignore
const CONTAINER = 0x0f;
const HEADER = 8;
const MAX_DEPTH = 32;
/** Which lists of a document name its slides and their notes, and not its masters. */
const SLIDES = 0;
const NOTES = 2;
/** Place of the id of a slide in the record that names it (MS-PPT 2.4.14.5). */
const SLIDE_ID_AT = 12;
/** Token of an encrypted presentation, in the stream `Current User` (MS-PPT 2.3.2). */
const ENCRYPTED_TOKEN = 0xf3d1c4df;
const TOKEN_AT = 12;

interface PptRecord {
  readonly type: number;
  readonly instance: number;
  readonly isContainer: boolean;
  readonly body: Buffer;
}

/** Reads a presentation of PowerPoint 97 to 2003 (PPT) slide by slide. @throws DocumentUnread; CompoundFileDamage */
export function readSlidesBinary(file: DocumentFile, root: Storage, text: DocumentText): void {
  const user = root.streams.get('Current User')?.();
  const isEncrypted =
    root.streams.has('EncryptedSummary') ||
    (user !== undefined && user.length >= TOKEN_AT + 4 && user.readUInt32LE(TOKEN_AT) === ENCRYPTED_TOKEN);
  if (isEncrypted) throw protectedByPassword();
  const stream = root.streams.get('PowerPoint Document')?.();
  if (!stream) throw damaged();
  const top = [...recordsOf(stream)];
  const places = persistedPlaces(top);
  const document = top.filter(({ type }) => type === RECORD.document).at(-1);
  if (!document) throw damaged();
  const lists = [...recordsOf(document.body)].filter(({ type }) => type === RECORD.slideList);
  const entriesOf = (wanted: number): Iterable<PptRecord> => {
    const list = lists.find(({ instance }) => instance === wanted);
    return list ? recordsOf(list.body) : [];
  };
  const objectOf = ({ body }: PptRecord): PptRecord | undefined => {
    const place = places.get(body.readUInt32LE(0));
    const [found] = place === undefined ? [] : recordsOf(stream.subarray(place));
    return found;
  };
  const notes = notesBySlide([...entriesOf(NOTES)].filter(isPersist).map(objectOf));
  let slide = 0;
  let texts: string[] = [];
  let notesOfSlide: readonly string[] = [];
  const end = (): void => {
    if (slide > 0) text.add(placeIn(file, 'slide', String(slide)), [...texts, ...notesOfSlide].join('\n'));
    texts = [];
  };
  for (const record of entriesOf(SLIDES)) {
    if (isPersist(record)) {
      end();
      slide += 1;
      const found = objectOf(record);
      if (found) texts.push(...textsOf(found, 0));
      const id = record.body.length >= SLIDE_ID_AT + 4 ? record.body.readUInt32LE(SLIDE_ID_AT) : 0;
      notesOfSlide = notes.get(id) ?? [];
    } else texts.push(...textsOf(record, 0));
  }
  end();
}

const isPersist = ({ type, body }: PptRecord): boolean => type === RECORD.slidePersist && body.length >= 4;

/** Texts of notes by the ids of their slides. */
function notesBySlide(notes: readonly (PptRecord | undefined)[]): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  for (const note of notes) {
    const facts = note && [...recordsOf(note.body)].find(({ type }) => type === RECORD.notesFacts);
    if (facts && facts.body.length >= 4) found.set(facts.body.readUInt32LE(0), textsOf(note, 0));
  }
  return found;
}

function* recordsOf(bytes: Buffer): Generator<PptRecord> {
  for (let at = 0; at + HEADER <= bytes.length;) {
    const version = bytes.readUInt16LE(at);
    const end = at + HEADER + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) return;
    yield {
      type: bytes.readUInt16LE(at + 2),
      instance: version >> 4,
      isContainer: (version & 0x0f) === CONTAINER,
      body: bytes.subarray(at + HEADER, end),
    };
    at = end;
  }
}

/** Where objects lie in the stream, by their ids; later saves have later directories (MS-PPT 2.3.4). */
function persistedPlaces(top: readonly PptRecord[]): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (const { body } of top.filter(({ type }) => type === RECORD.persistDirectory)) {
    for (let at = 0; at + 4 <= body.length;) {
      const entry = body.readUInt32LE(at);
      const first = entry & 0xfffff;
      const count = entry >>> 20;
      at += 4;
      for (let index = 0; index < count && at + 4 <= body.length; index += 1, at += 4)
        places.set(first + index, body.readUInt32LE(at));
    }
  }
  return places;
}

function textsOf(record: PptRecord, depth: number): string[] {
  if (record.type === RECORD.textChars) return [record.body.toString('utf16le').replace(/[\r\v]/g, '\n')];
  if (record.type === RECORD.textBytes) return [record.body.toString('latin1').replace(/[\r\v]/g, '\n')];
  if (!record.isContainer || depth >= MAX_DEPTH) return [];
  return [...recordsOf(record.body)].flatMap((part) => textsOf(part, depth + 1));
}
